"""What is said about a submission's cells: a missing function, a lost name, a changed given cell.

Each remark names the cell and what to do. Nothing here decides what is graded.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterator, Sequence

from autograder.cellcode import read_code
from autograder.contract import Contract, Part, bare
from autograder.signatures import parameter_note
from autograder.submission import CodeCell, Submission

__all__ = ["about_cells", "about_function", "missing", "split"]


def _several(cells: Sequence[CodeCell]) -> str:
    shown = ", ".join(cell.label for cell in cells[:4])
    return f"{shown} and {len(cells) - 4} more" if len(cells) > 4 else shown


def _foreign_letters(name: str) -> str:
    """The letters that make a name look like another: Cyrillic ``i`` for Latin ``i``."""
    foreign = [letter for letter in name if not letter.isascii()]
    letters = [f"{letter!r} is {unicodedata.name(letter, 'unknown')}" for letter in foreign]
    return f" ({', '.join(letters[:3])})" if letters else ""


def missing(part: Part, submission: Submission, contract: Contract) -> str:
    """Why ``part`` was not found: renamed, indented, or its cell is gone."""
    for cell in submission.learner:
        if part.name in cell.code.mentions:
            return (f"{cell.label} defines {part.name} inside of something else; "
                    "move it to the left margin")
    home = [cell for cell in submission.learner if cell.seems_meant_for(part)]
    if home:
        names = [each.name for each in home[-1].code.definitions.values() if each.kind != "import"]
        shown = " and ".join(f"{name}{_foreign_letters(name)}" for name in names[:4]) or "nothing"
        return f"{home[-1].label} defines no {part.kind} {part.name}; it defines {shown}"
    for text in submission.text:
        if part.cell in (text.grade_id, text.id):
            return f"{text.label} is a {text.kind} cell, which is never run: make it a code cell"
    others = [name for name in submission.definers if name not in contract.names]
    near = difflib.get_close_matches(part.name, others[:2000], n=1, cutoff=0.7)
    if near:
        where = submission.definers[near[0]][-1].label
        return (f"no cell defines {part.name}; {where} defines "
                f"{near[0]}{_foreign_letters(near[0])}: give it back its name")
    return (f"no cell defines {part.name}, and the cell {part.cell} is gone; "
            "copy it from a fresh notebook of this chapter")


def split(cell: CodeCell, submission: Submission) -> tuple[str, ...]:
    """A hint where the next cell looks like the rest of ``cell``."""
    half = submission.second_half_of(cell)
    return (f"{half.label} begins in the middle of a block: if it is the rest of {cell.label}, "
            "join the two cells",) if half else ()


def about_function(part: Part, cell: CodeCell, submission: Submission) -> Iterator[str]:
    """Remarks on a function that is graded as ``cell`` defines it."""
    definers, definition = submission.definers[part.name], cell.code.definitions[part.name]
    if len(definers) > 1:
        yield f"{part.name} is defined in {_several(definers)}: the last one counts"
    if definition.kind == "import":
        yield (f"{cell.label} takes {part.name} from {definition.module}; "
               "grading must be able to import that")
    renamed = parameter_note(definition.signature, part.signature)
    if renamed:
        yield renamed
    unread = [each for each in submission.broken if each.seems_meant_for(part)]
    if unread:
        yield f"{_several(unread)} left out: {unread[-1].code.problem}"


def about_cells(
    taken: Sequence[CodeCell], submission: Submission, contract: Contract
) -> Iterator[str]:
    """Remarks on the module that the cells in ``taken`` make."""
    for given in submission.given:
        yield from _changed_given(given.label, given.source, contract)
    for cell in taken:
        yield from (f"{cell.label}: {note}" for note in cell.code.notes)
        again = [name for name in cell.code.definitions if name in contract.given_exports]
        if again:
            yield f"{cell.label} defines {', '.join(again[:4])} anew, which the course gives"
    yield from _unknown_names(taken, submission, contract)


def _changed_given(label: str, source: str, contract: Contract) -> Iterator[str]:
    if bare(source) in {bare(cell.source) for cell in contract.given}:
        return
    extra = sorted(read_code(source).definitions.keys() - contract.given_names)
    lost = f"; {', '.join(extra[:4])} must move to a cell of your own" if extra else ""
    yield f"{label} was changed: the course's own text of it is used{lost}"


def _unknown_names(
    taken: Sequence[CodeCell], submission: Submission, contract: Contract
) -> Iterator[str]:
    """Names that a taken cell needs and that only a cell left out could have defined."""
    known = contract.given_names.union(*(cell.code.definitions for cell in taken))
    if "*" in known:
        return
    wanted = {name: cell.label for cell in taken for name in sorted(cell.code.needs - known)}
    if not wanted:
        return
    own = {name: cell for cell in submission.own for name in read_code(cell.source).definitions}
    unread = {name: cell for cell in submission.broken for name in cell.code.mentions}
    for name, user in wanted.items():
        if name in own:
            yield (f"{user} uses {name}, which only {own[name].label} defines: "
                   "define it in a cell of your own")
        elif name in unread:
            yield f"{user} uses {name}; {unread[name].label} left out: {unread[name].code.problem}"
