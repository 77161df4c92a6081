"""``python -m refseal``."""

from refseal.cli import main

main()
