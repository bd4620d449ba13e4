"""The terminal that commands print to.

It knows when colours are wanted; what is printed, and how it looks, is its callers' business.
"""

from __future__ import annotations

import os

from rich.console import Console

__all__ = ["console"]


def console() -> Console:
    """Standard output: styled where it is a terminal, plain where it is none or NO_COLOR is set
    (https://no-color.org), with which Rich by itself would leave bold type in."""
    return Console(highlight=False, color_system=None if os.environ.get("NO_COLOR") else "auto")
