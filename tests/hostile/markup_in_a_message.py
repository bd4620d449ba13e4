"""Raises an exception whose class and message are HTML, Markdown and a terminal library's markup.

Must hold: wherever they are shown, they are text.

Family: injection.
"""

ENDS = {"A": "ValueError", "B": "ValueError", "C": "ValueError"}


MARKUP = (
    "<script>evil()</script><img src=x onerror=evil()>"
    "[bold red]evil[/] [x](javascript:evil()) $x$"
)


def attack(world):
    raise type("<b>Error</b>", (ValueError,), {})(MARKUP)
