"""Sessions of pytest for hidden tests: how it is called, and what it may not do.

The hooks are ``plugin``'s. A session collects a file once; audits run it on hundreds of subjects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.extra import pytestplugin

from autograder import suites
from autograder.course import hypothesis_dir
from autograder.fixtures import Fixtures, named
from autograder.plugin import Grading, Job, Jobs, Ran
from autograder.sandbox.inside.quick import arguments
from autograder.verdict import Failure

__all__ = ["run_jobs", "run_suite"]

SETTINGS = Path(__file__).parent / "hidden" / "pytest.ini"
# Neither replaying (no database) nor explaining, whose tracing costs more than the tests.
PHASES = (hypothesis.Phase.explicit, hypothesis.Phase.generate, hypothesis.Phase.shrink)


@contextmanager
def _hypothesis_settings() -> Iterator[None]:
    before = hypothesis.settings.get_current_profile_name()
    hypothesis.settings.register_profile(
        "grading", database=None, deadline=None, print_blob=False, report_multiple_bugs=False,
        phases=PHASES,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("grading")
    set_hypothesis_home_dir(hypothesis_dir())
    try:
        yield
    finally:
        set_hypothesis_home_dir(None)
        hypothesis.settings.load_profile(before)


def run_jobs(
    suite: Path, jobs: Jobs, *, names: frozenset[str], refused: Mapping[str, Failure], seed: int,
    golden: Callable[[], Any], only: str | None = None,
) -> None:
    """Run a file of hidden tests for each job.

    Args:
        suite: the file of hidden tests.
        jobs: gives the jobs, and gets what ran after each.
        names: what the chapter exports; each is a fixture.
        refused: names that must not be called, each with what to tell of it.
        seed: feeds the ``fresh`` fixture and Hypothesis.
        golden: reads the chapter's golden values.
        only: the one function that all jobs are about, where they are about one.

    Raises:
        RuntimeError: the suite itself cannot be collected; our fault, never the learner's.
    """
    grading = Grading(jobs, Fixtures(refused, seed, golden), only)
    suites.forget_if_changed(suite)
    with _hypothesis_settings():
        code = pytest.main([str(suite), f"--hypothesis-seed={seed}", *arguments(str(SETTINGS))],
                           plugins=[grading, grading.fixtures, named(names), pytestplugin])
    if grading.interrupted:
        raise KeyboardInterrupt
    if grading.error is not None:
        raise grading.error
    if not grading.collected or code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED,
                                             pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"{suite.name} cannot be collected (pytest says {code!r}); "
                           "run pytest --collect-only on it")


def run_suite(suite: Path, job: Job, **settings: Any) -> tuple[Ran, ...]:
    """What ran of one job; the other arguments are those of ``run_jobs``."""
    found: list[Ran] = []

    def one() -> Jobs:
        found.extend((yield job))

    run_jobs(suite, one(), only=job.only, **settings)
    return tuple(found)
