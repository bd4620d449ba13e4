"""A verdict for the terminal: the table, the first failure in full, the rest in a line each.

Everything that came from a submission is a ``Text``, so none of it is read as markup. Rich leaves
out colours where the console is no terminal or NO_COLOR is set; nothing here depends on them, and
nothing here decides anything.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.cards import failure_rows, state
from autograder.catalogue import TestInfo
from autograder.verdict import (
    NOT_THERE,
    FunctionVerdict,
    Outcome,
    Reason,
    TestVerdict,
    Verdict,
)

__all__ = ["plain_table", "points", "print_catalogue", "print_verdict"]

LEVELS = {
    "A": "namespaces, Landlock, seccomp and limits",
    "B": "Landlock, seccomp and limits",
    "C": "a separate process and limits only",
}
UNJUDGED = {
    Outcome.SKIPPED: "Skipped, leaves the total",
    Outcome.FAULT: "Our fault, costs nothing",
}

_Failure = tuple[FunctionVerdict, TestVerdict]


def points(earned: Fraction) -> str:
    """Points for people: at most two decimals, never rounded up to more than was earned."""
    hundredths = earned * 100 // 1
    return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")


def plain_table(*headers: str) -> Table:
    """A table without bold type, which NO_COLOR would leave in."""
    return Table(*headers, box=box.SIMPLE_HEAD, pad_edge=False, header_style="", footer_style="")


def _style(function: FunctionVerdict) -> str:
    if function.first_failure is not None and not function.left_out:
        return "red"
    return "green" if function.passed and not function.faulty else "yellow"


def _visible(verdict: Verdict) -> Table:
    """How each function stands where nothing gives points."""
    table = plain_table("Function", "Checks passed", "")
    table.columns[1].justify = "right"
    for function in verdict.functions:
        passed = Text(f"{function.count_passed} of {function.counted}")
        table.add_row(Text(function.name), passed, Text(state(function), _style(function)))
    return table


def _functions(verdict: Verdict) -> Table:
    table = plain_table("Function")
    table.show_footer = True
    table.columns[0].footer = "Total"
    total = Text(f"{points(verdict.earned)} of {verdict.points}")
    table.add_column("Points", total, justify="right")
    table.add_column("Tests passed", justify="right")
    table.add_column("")
    for function in verdict.functions:
        passed = sum(test.outcome is Outcome.PASSED for test in function.tests)
        worth = f"{points(function.earned)} of {function.points}"
        table.add_row(
            Text(function.name), Text(f"bonus {worth}" if function.bonus else worth),
            Text(f"{passed} of {function.counted}"), Text(state(function), _style(function)),
        )
    return table


def _failed(functions: Sequence[FunctionVerdict]) -> Iterator[_Failure]:
    written = (function for function in functions if not function.left_out)
    return ((function, test) for function in written for test in function.failures)


def _in_full(function: FunctionVerdict, test: TestVerdict) -> Table:
    grid = Table.grid(padding=(0, 2))
    for row in failure_rows(test, function.cell):
        grid.add_row(Text(row.label, no_wrap=True), Text(row.text))
    return grid


def _alike(failed: _Failure) -> str:
    """What one line says of a failure: the cases of a test fail alike, and so does every test of
    a function that cannot be called."""
    function, test = failed
    assert test.failure is not None
    line = f"{function.name}: {test.failure.reason}"
    if test.failure.reason in (*NOT_THERE, Reason.SIGNATURE, Reason.ALIVE, Reason.REJECTS):
        return line
    return f"{line}: {test.rule} ({test.name.partition('[')[0]})"


def _lines(failures: Sequence[_Failure]) -> Iterator[Text]:
    for line, times in Counter(map(_alike, failures)).items():
        yield Text(f"{line}, {times} tests" if times > 1 else line)


def _in_full_first(failures: Sequence[_Failure]) -> list[_Failure]:
    """The topmost failure, and the first of each other function that somebody has written."""
    firsts = {function.name: (function, test) for function, test in reversed(failures)}
    return [
        (function, test) for function, test in reversed(firsts.values())
        if function is failures[0][0] or (test.failure and test.failure.reason not in NOT_THERE)
    ]


def _print_failures(verdict: Verdict, console: Console) -> None:
    failures = list(_failed(verdict.functions))
    in_full = _in_full_first(failures)
    for function, test in in_full:
        console.print(Text(f"{function.name}: {test.name}", "red"))
        console.print(Padding(_in_full(function, test), (0, 0, 1, 2)))
    others = [failure for failure in failures if failure not in in_full]
    if others:
        console.print(Text("Also failing:"))
    for line in _lines(others):
        console.print(Padding(line, (0, 0, 0, 2)))
    console.print()


def _small_print(verdict: Verdict) -> Iterator[str]:
    """What bears on the result without being one."""
    tests = [test for function in verdict.functions for test in function.tests]
    for outcome, said in UNJUDGED.items():
        notes = dict.fromkeys(test.note for test in tests if test.outcome is outcome)
        for note in notes:
            names = (test.name for test in tests if (test.outcome, test.note) == (outcome, note))
            yield f"{said}: {', '.join(names)}: {note}"
    for function in verdict.functions:
        yield from (f"{function.name}: {note}" for note in function.notes)
    yield from verdict.notes
    yield from verdict.problems
    if verdict.carried:
        yield f"Carried on the reference: {', '.join(verdict.carried)}"
    if verdict.level:
        yield f"Isolation: level {verdict.level}, {LEVELS[verdict.level]}; {verdict.seconds:.1f} s"


def _result(verdict: Verdict) -> str:
    if verdict.visible:
        return f"the visible checks {'pass' if verdict.passed else 'do not all pass yet'}"
    state = "passed" if verdict.passed else "not passed yet"
    return f"{points(verdict.earned)} of {verdict.points} points, {state}"


def print_verdict(verdict: Verdict, console: Console) -> None:
    """Print ``verdict`` for the person who handed in: result, table, failures, notes."""
    console.print(Text(f"{verdict.chapter}: {_result(verdict)}"))
    if verdict.message:
        console.print(Text(f"{verdict.status}: {verdict.message}", "red"))
    if verdict.functions:
        console.print(_visible(verdict) if verdict.visible else _functions(verdict))
    if verdict.status.judged and any(True for _ in _failed(verdict.functions)):
        _print_failures(verdict, console)
    for line in _small_print(verdict):
        console.print(Text(line))


def print_catalogue(tests: Sequence[TestInfo], console: Console) -> None:
    """Print what the hidden tests check, and why each matters, function by function."""
    for function, own in itertools.groupby(tests, lambda test: test.function):
        console.print(Text(function, "green"))
        for test in own:
            console.print(Padding(Text(f"{test.name} ({test.kind})"), (0, 0, 0, 2), expand=False))
            about = Text(f"{test.rule}\nWhy: {test.why}")
            console.print(Padding(about, (0, 0, 1, 4), expand=False))
