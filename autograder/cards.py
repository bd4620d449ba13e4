"""What a check shows: a verdict on one function as a card, in HTML and in plain text.

A card is data first; the HTML comes from ``templates/card.html``, which escapes everything, and the
plain text says the same. Marks and words carry the meaning, colour only repeats it. Nothing here
runs a test, and nothing here decides.
"""

from __future__ import annotations

import functools
import itertools
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from autograder.advice import next_step
from autograder.verdict import (
    NOT_THERE,
    NOT_WANTED,
    Failure,
    FunctionVerdict,
    Outcome,
    Reason,
    TestVerdict,
)

__all__ = [
    "Card", "Row", "Tile", "Tone", "TwoForms", "failure_rows", "notice", "of_function", "overview",
    "state", "template",
]

MOST_NAMES = 8


class Tone(StrEnum):
    """How a card speaks; each value is its mark."""

    PASSED = "✔"
    FAILED = "✘"
    CALM = "○"


@dataclass(frozen=True)
class Tile:
    """One of many alike in a picture: a mark, what it stands for, and whether it is open."""

    mark: str
    title: str
    open: bool


@dataclass(frozen=True)
class Row:
    """One labelled text, perhaps with a picture; ``code`` keeps its spaces and line ends."""

    label: str
    text: str
    code: bool = False
    tiles: tuple[Tile, ...] = ()

    @property
    def plain(self) -> str:
        """The picture and the text, in characters."""
        return " ".join(filter(None, ("".join(tile.mark for tile in self.tiles), self.text)))


@functools.cache
def template(name: str) -> Any:
    """One of ``templates/``, which escapes whatever it is given."""
    import jinja2  # only HTML needs it, and a terminal should not wait for it

    loader = jinja2.PackageLoader("autograder")
    return jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True,
                              lstrip_blocks=True).get_template(name)


class TwoForms(ABC):
    """What IPython shows as HTML and a terminal as text; both say the same."""

    @property
    @abstractmethod
    def html(self) -> str: ...

    @property
    @abstractmethod
    def text(self) -> str: ...

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """IPython's protocol: the front end takes the richer form that it can show."""
        return {"text/html": self.html, "text/plain": self.text}


@dataclass(frozen=True, repr=False)
class Card(TwoForms):
    """A heading, a sentence and rows; IPython shows it as HTML, a terminal as text."""

    tone: Tone
    heading: str
    lead: str = ""
    rows: tuple[Row, ...] = ()

    @property
    def html(self) -> str:
        rendered: str = template("card.html").render(card=self)
        return rendered

    @property
    def label_width(self) -> int:
        return max((len(row.label) for row in self.rows), default=0)

    @property
    def text(self) -> str:
        lines = [f"{self.tone} {self.heading}", *([f"  {self.lead}"] if self.lead else [])]
        width = self.label_width
        for row in self.rows:
            first, *others = row.plain.splitlines() or [""]
            lines.append(f"  {row.label:<{width}}  {first}")
            lines += [f"  {'':<{width}}  {other}" for other in others]
        return "\n".join(line.rstrip() for line in lines)


def _names(tests: Sequence[TestVerdict]) -> str:
    """The names of tests, the cases of one test counted together."""
    cases = Counter(test.name.partition("[")[0] for test in tests)
    names = [f"{name} ({times} cases)" if times > 1 else name for name, times in cases.items()]
    more = [f"{len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return ", ".join([*names[:MOST_NAMES], *more])


def _count(number: int) -> str:
    return f"{number} test" if number == 1 else f"{number} tests"


def _with(function: FunctionVerdict, outcome: Outcome) -> list[TestVerdict]:
    return [test for test in function.tests if test.outcome is outcome]


def state(function: FunctionVerdict) -> str:
    """One or two words on how a function stands."""
    first = function.first_failure
    if function.left_out:
        return "left out"
    if first is not None and first.failure is not None:
        return first.failure.reason.value
    if function.faulty:
        return Outcome.FAULT.value
    return Outcome.PASSED.value if function.passed else Outcome.SKIPPED.value


def _told(failure: Failure) -> str:
    """The message, unless Wanted and Got say it already."""
    return "" if failure.got and failure.message == NOT_WANTED else failure.message


def failure_rows(test: TestVerdict, cell: str = "") -> tuple[Row, ...]:
    """All there is to say of one failed test; rows without a text are left out.

    Args:
        test: a test with a failure.
        cell: named as the place where the failure itself knows none.
    """
    failure = test.failure
    assert failure is not None
    rows = (
        Row("Symptom" if failure.reason is Reason.ALIVE else "Rule", test.rule),
        Row("Given", failure.given, code=True),
        Row("Wanted", failure.wanted, code=True),
        Row("Got", failure.got, code=True),
        Row("Difference" if failure.got else "What happened", _told(failure), code=True),
        Row("Where", failure.where or cell),
        Row("Next step", next_step(failure.reason)),
    )
    return tuple(row for row in rows if row.text)


def _others(function: FunctionVerdict) -> Iterator[Row]:
    """How the other tests came out."""
    failed, faults = function.failures[1:], _with(function, Outcome.FAULT)
    if failed:
        yield Row("Also failing", _names(failed))
    for note, tests in itertools.groupby(_with(function, Outcome.SKIPPED), lambda test: test.note):
        yield Row("Skipped", f"{_names(list(tests))}: {note}")
    if faults:
        told = f"{_names(faults)} could not run, which costs nothing: {faults[0].note}"
        yield Row("Our fault", told)


def _hint(function: FunctionVerdict) -> Row:
    return Row("Hint", f'hint("{function.name}")', code=True)


def _open(function: FunctionVerdict, failure: Failure) -> Card:
    """Nothing has been written that could be right or wrong."""
    told = "" if failure.message == failure.reason else failure.message
    rows = (Row("What happened", told), Row("Where", failure.where or function.cell),
            Row("Next step", next_step(failure.reason)), _hint(function))
    bonus = "This is a bonus: nothing is missing without it. " if function.bonus else ""
    return Card(Tone.CALM, f"{function.name}: {failure.reason}",
                f"{bonus}{_count(function.counted)} will run once it is there.",
                tuple(row for row in rows if row.text))


def of_function(function: FunctionVerdict) -> Card:
    """The card of one function: passed, or its first failure in full and the rest by name."""
    passed = len(_with(function, Outcome.PASSED))
    test = function.first_failure
    if test is None or test.failure is None:
        tone = Tone.PASSED if function.passed and not function.faulty else Tone.CALM
        lead = f"{_count(passed)} passed." if passed else "No test could run here."
        return Card(tone, f"{function.name}: {state(function)}", lead,
                    tuple(_others(function)))
    if not passed and test.failure.reason in NOT_THERE:
        return _open(function, test.failure)
    lead = f"{passed} of {_count(function.counted)} passed; {test.name} failed first."
    return Card(Tone.FAILED, f"{function.name}: {test.failure.reason}", lead,
                (*failure_rows(test, function.cell), _hint(function), *_others(function)))


def overview(functions: Sequence[FunctionVerdict], title: str) -> Card:
    """Several functions in one card, a row each; a bonus is not among those that have to pass."""
    required = [function for function in functions if not function.bonus]
    done = sum(function.passed for function in required)
    rows = (
        Row(f"{function.name} (bonus)" if function.bonus else function.name,
            f"{state(function)}, {len(_with(function, Outcome.PASSED))} of "
            f"{_count(function.counted)} passed")
        for function in functions
    )
    tone = Tone.PASSED if done == len(required) else Tone.CALM
    return Card(tone, f"{title}: {done} of {len(required)} functions pass", rows=tuple(rows))


def notice(heading: str, lead: str) -> Card:
    """A calm word that judges nothing."""
    return Card(Tone.CALM, heading, lead)
