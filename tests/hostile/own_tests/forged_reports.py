"""Has pytest report each test twice, once as passed and once as failed.

Must come of it: nothing is gained. Whoever takes the reference's first report takes a bug's first
report, too, and whoever takes the last takes it from both.
"""

import copy

import pytest

from llmdata import rand


class Twice:
    """A plug-in that adds a failure to every pass."""

    def __init__(self, hook):
        self.hook = hook

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_logreport(self, report):
        result = yield
        if report.when == "call" and report.outcome == "passed":
            forged = copy.copy(report)
            forged.outcome, forged.longrepr = "failed", "forged"
            self.hook.pytest_runtest_logreport(report=forged)
        return result


@pytest.fixture(autouse=True)
def twice(pytestconfig):
    """Registers the plug-in before the first call is reported."""
    if not pytestconfig.pluginmanager.has_plugin("twice"):
        pytestconfig.pluginmanager.register(Twice(pytestconfig.hook), "twice")


def test_that_passes_first():
    """Passes, whatever the implementation does, and is then said to have failed."""
    assert rand.MT19937State().left == 0
