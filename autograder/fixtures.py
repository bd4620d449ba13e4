"""What hidden tests are given by name: the learner's functions, and what a test needs besides.

pytest's hooks, and what comes of a test, are ``plugin``'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder import show
from autograder.classify import Mismatch
from autograder.subject import Given, Subject, Traced
from autograder.verdict import Failure

__all__ = ["Fixtures", "named"]


@dataclass
class Fixtures:
    """The fixtures of one session; ``subject`` is what the present job's functions come from."""

    refused: Mapping[str, Failure]
    seed: int
    golden: Callable[[], Any]
    subject: Subject = field(init=False)

    @pytest.fixture
    def given(self) -> Iterator[Given]:
        with self.subject.open() as source:
            given = Given(source, self.refused)
            with redirect_stdout(given.printed), redirect_stderr(given.printed):
                yield given

    @pytest.fixture
    def repeat(self, given: Given) -> Callable[..., list[Any]]:
        """``repeat(function, n, *args)``: the results of n calls."""
        return given.repeat

    @pytest.fixture
    def processor_time(self, given: Given) -> Callable[[], float]:
        """Tells the seconds of processor time so far, this process's and the learner's together."""
        return given.processor_time

    @pytest.fixture
    def in_place(self, given: Given) -> Callable[..., Any]:
        """``in_place(function, array, *args)``: what a call makes of the array, its first argument;
        the test's own stays as it is. Of another dtype or shape than before, it is a failure."""

        def changed(function: Traced, array: np.ndarray[Any, Any], *args: Any) -> Any:
            found = given.in_place(function, array, *args)
            if (form := _form(found)) != (wanted := _form(array)):
                raise Mismatch("==", form, wanted)
            return found

        return changed

    @pytest.fixture
    def note(self, given: Given) -> Callable[[str], None]:
        """Adds a line to what a failure shows as given."""
        return given.trace.add

    @pytest.fixture(name="golden")
    def golden_values(self) -> Any:
        """The chapter's ``golden.json``."""
        return self.golden()

    @pytest.fixture
    def fresh(self) -> np.random.Generator:
        """Random numbers that differ from one submission to the next."""
        return np.random.default_rng(self.seed)

    @pytest.fixture
    def folder(self, given: Given, request: pytest.FixtureRequest) -> Any:
        """An empty folder where the learner's code runs, of the ``Path`` that the chapter exports:
        a worker's, or one beside a kernel's own."""
        path = given.get("Path").function
        if path is Path:
            return request.getfixturevalue("tmp_path")
        made = path("files")
        made.mkdir()
        return made


def _fixture_for(name: str) -> Any:
    @pytest.fixture(name=name)
    def provide(self: object, given: Given) -> Any:
        return given.get(name)

    return provide


def named(names: Iterable[str]) -> object:
    """A plug-in with a fixture for each function of a chapter."""
    return type("Names", (), {name: _fixture_for(name) for name in names})()


def _form(value: object) -> str:
    """Type, dtype and shape, in words."""
    if type(value) is not np.ndarray:
        return show.value(value)
    return f"array of shape {value.shape}, dtype {value.dtype}"
