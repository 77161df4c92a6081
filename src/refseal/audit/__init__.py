"""The audit: the hook's own resolver, explained."""
