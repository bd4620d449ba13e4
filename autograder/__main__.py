"""``python -m autograder`` is the command ``ol``."""

from autograder.cli import main

main()
