"""What a learner calls in a notebook: ``check("randint32")``, ``hint("randint32")``,
``check_tests()``, ``progress()``, ``course_page()`` and ``hexview(data)``.

A check runs a function's hidden tests on the live objects of the kernel and shows a card. It is
quick, ``%debug`` works after it, and it is worth no marks: those come from ``autograder.grade`` on
the saved notebook. In what a class receives it runs the hand example instead, on the cells that
ran, in a sandbox. Importing this module is cheap; the first check imports the rest.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from IPython.display import display

from autograder.cards import Card, Row, Tone, notice, of_function, overview, state
from autograder.course import Chapter, CourseError, chapters, is_bundle
from autograder.kernel import cells, here, namespace, settle
from autograder.show import clean
from autograder.shown import Shown
from autograder.verdict import FunctionVerdict, Outcome, Reason

if TYPE_CHECKING:
    from autograder.contract import Part
    from autograder.judged import Judged
    from autograder.plugin import Ran

__all__ = [
    "check", "check_tests", "course_page", "hexview", "hint", "judge_kernel", "progress",
]


@dataclass(frozen=True, repr=False)
class HintCard:
    """One hint, as Markdown and as the same text."""

    markdown: str

    def __repr__(self) -> str:
        return self.markdown

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/markdown": self.markdown, "text/plain": self.markdown}


def _parts() -> Iterator[tuple[Chapter, Part]]:
    """Everything graded, this notebook's chapter first."""
    from autograder.contract import load

    first = here()
    for chapter in sorted(chapters(), key=lambda each: each != first):
        yield from ((chapter, part) for part in load(chapter).parts)


def _find(name: object) -> tuple[Chapter, Part]:
    """What ``name`` means.

    Raises:
        CourseError: nothing graded is called so; the message suggests the nearest.
    """
    if not isinstance(name, str):
        known = getattr(name, "__name__", "randint32")
        raise CourseError(f'put the name in quotes: check("{known}")')
    found: dict[str, tuple[Chapter, Part]] = {}
    for chapter, part in _parts():
        found.setdefault(part.name, (chapter, part))
    if name not in found:
        near = difflib.get_close_matches(name, found, n=1, cutoff=0.4)
        guess = f" Did you mean '{near[0]}'?" if near else ""
        raise CourseError(f"no chapter asks for a function '{clean(name, 80)}'.{guess}")
    return found[name]


def _run(chapter: Chapter, part: Part) -> tuple[FunctionVerdict, Ran | None]:
    """The verdict on one function, and the first hidden test that failed."""
    if is_bundle():
        from autograder.visible import check_function

        return check_function(chapter, cells(), part), None
    from autograder.hiddentests import check_live

    ran = check_live(chapter, part, namespace())
    first = next((each for each in ran if each.test.outcome is Outcome.FAILED), None)
    tests = tuple(each.test for each in ran)
    return FunctionVerdict(part.name, part.points, tests, bonus=part.bonus), first


def _check_one(chapter: Chapter, part: Part) -> Card:
    from autograder.debugging import offer

    verdict, first = _run(chapter, part)
    card = of_function(verdict)
    if first is not None and first.error is not None:
        offer(first.error, chapter.hidden)
        if first.printed:
            card = replace(card, rows=(*card.rows, Row("Printed", first.printed, code=True)))
    return _only_visible(card)


def _only_visible(card: Card) -> Card:
    """``card``, which says what did not run where that is so."""
    if not is_bundle():
        return card
    from autograder.visible import with_grading

    return with_grading(card)


def _check_all() -> Card:
    """Every function of this notebook's chapter; after one that never ends, none is tried."""
    from autograder.contract import load

    chapter = here()
    if chapter is None:
        raise CourseError("this notebook belongs to no chapter; name a function: "
                          'check("randint32")')
    verdicts: list[FunctionVerdict] = []
    stuck = False
    for part in load(chapter).parts:
        untried = FunctionVerdict(part.name, part.points, (), bonus=part.bonus)
        verdict = untried if stuck else _run(chapter, part)[0]
        stuck = stuck or state(verdict) == Reason.TIMEOUT
        verdicts.append(verdict)
    return _only_visible(overview(verdicts, chapter.slug))


def check(name: str | None = None) -> Shown:
    """Run the hidden tests of one function, or of the whole chapter, on what you have now; where
    they are not, the hand examples.

    Shows a card: passed, or the first failure with what was given, wanted and got, and what to do
    next. It stops after five seconds. After a failure, ``%debug`` opens the place of it.

    Args:
        name: the function's name, in quotes; left out, every function of this chapter.
    """
    try:
        found = None if name is None else _find(name)
        shown = Shown(_check_one(*found) if found else _check_all())
    except CourseError as error:
        return Shown(notice("Not checked:", str(error)))
    except KeyboardInterrupt:
        display(notice("Stopped:", "you interrupted the check; nothing was judged."))  # type: ignore[no-untyped-call]
        raise KeyboardInterrupt("the check was interrupted") from None
    return shown if found is not None and found[1].bonus else _validated(shown)


def _validated(shown: Shown) -> Shown:
    """``shown``, unless nbgrader's Validate, which looks for errors alone, must hear of it."""
    passed = isinstance(shown.card, Card) and shown.card.tone is Tone.PASSED
    if os.environ.get("NBGRADER_VALIDATING") and not passed:
        raise AssertionError(str(shown.card).splitlines()[0])
    return shown


def hint(name: str, step: int = 1) -> Shown:
    """Show a hint for a function: 1 is the gentlest, 3 is nearly the answer."""
    from autograder.contract import OWN_TESTS
    from autograder.hints import OF_OWN_TESTS, hints

    try:
        if name == OWN_TESTS:
            raise CourseError(OF_OWN_TESTS)
        chapter, part = _find(name)
        found = hints(chapter, part.name)
        if step not in range(1, len(found) + 1):
            raise CourseError(f"{part.name} has hints 1 to {len(found)}")
    except CourseError as error:
        return Shown(notice("No hint:", str(error)))
    chosen = found[step - 1]
    heading = f"**{part.name}, hint {step} of {len(found)}: {chosen.title}**"
    more = [f'More: `hint("{part.name}", {step + 1})`'] if step < len(found) else []
    return Shown(HintCard("\n\n".join([heading, chosen.text, *more])))


def check_tests() -> Shown:
    """Judge the tests of your own in this notebook, as far as its cells have been run.

    They run in a sandbox on right code, on your code, and on planted bugs, which they should
    notice. Shows the bugs alive and dead, and the symptoms of pitfalls that no test notices.
    """
    try:
        shown = Shown(_judged_card())
    except CourseError as error:
        return Shown(notice("Not checked:", str(error)))
    return _validated(shown)


def _judged_card() -> Card:
    if is_bundle():
        from autograder.visible import tests_card

        return tests_card(_this_chapter(), cells())
    from autograder.testreport import card

    return card(judge_kernel(remembering=True)[1])


def _this_chapter() -> Chapter:
    """This notebook's chapter.

    Raises:
        CourseError: it belongs to none.
    """
    chapter = here()
    if chapter is None:
        raise CourseError("this notebook belongs to no chapter")
    return chapter


def progress() -> Shown:
    """Show every chapter, how far it has come, and the next step, as ``ol check`` last saw it."""
    from autograder.standing import card, standings

    return Shown(card(standings()))


def course_page() -> Shown:
    """Show the course as a graph: what each chapter needs, what is done, and what is next."""
    from autograder.coursepage import page
    from autograder.standing import standings

    return Shown(page(standings()))


def hexview(data: object, other: object = None, *, start: int | None = None,
            rows: int = 16) -> Shown:
    """Show bytes in hexadecimal, and by name the numbers that llm.c's files begin with.

    Of one the beginning is shown, of two the place where they part.

    Args:
        data: bytes, a NumPy array, or the path of a file.
        other: the same, to compare with.
        start: the offset to begin at.
        rows: how many different rows of 16 bytes to show, at most 256.
    """
    from autograder.hexview import view

    try:
        return Shown(view(data, other, start, rows))
    except CourseError as error:
        return Shown(notice("Nothing to show:", str(error)))


def judge_kernel(*, remembering: bool) -> tuple[Chapter, Judged]:
    """This notebook's chapter, and what the tests in its cells are worth.

    Args:
        remembering: earlier runs may stand in for the same ones; not where it is for marks.

    Raises:
        CourseError: this is no chapter's notebook, or its planted bugs are not installed.
    """
    from autograder.carry import Deps
    from autograder.memory import Memory
    from autograder.mutate import judge
    from autograder.owntests import gathered

    chapter = _this_chapter()
    tests, own = gathered(chapter, cells(), Deps.EITHER)
    return chapter, judge(chapter, tests, own, memory=Memory(chapter) if remembering else None)


settle(hexview=hexview, hint=hint, progress=progress)  # notebooks import check alone
