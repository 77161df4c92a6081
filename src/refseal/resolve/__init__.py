"""The resolver: scope, authority, order and budgets.  Policy alone; it knows no host."""
