"""What a call in a notebook gives back: a thing that is on the screen already."""

from __future__ import annotations

from typing import Any, Protocol

from IPython.display import display

from autograder.kernel import cell_number

__all__ = ["Showable", "Shown"]


class Showable(Protocol):
    """What IPython shows in more than one form; its repr is the plain text."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]: ...


class Shown:
    """A card, or something like it, that is on the screen already.

    IPython shows the value of a cell's last line; in the cell that made it that would be a second
    copy, in any later one it is what was asked for.
    """

    def __init__(self, card: Showable) -> None:
        self.card = card
        self._cell = cell_number()
        display(card)  # type: ignore[no-untyped-call]  # IPython leaves it untyped

    def _ipython_display_(self) -> None:
        if self._cell != cell_number():
            display(self.card)  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return repr(self.card)
