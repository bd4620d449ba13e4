"""Options that several commands share."""

from __future__ import annotations

import click

from autograder.course import CourseError
from autograder.sandbox import Level, available

__all__ = ["level_option"]


def _required(ctx: click.Context, param: click.Parameter, value: str | None) -> Level | None:
    """The strongest level there is, if it is at least as strong as the one required."""
    if value is None:
        return None
    strongest = available()[0]
    if strongest.value > value:
        raise CourseError(
            f"level {value} is required, and this machine offers {strongest.value}; "
            "'ol doctor' says what is missing"
        )
    return strongest


level_option = click.option(
    "--require-level",
    "level",
    type=click.Choice([level.value for level in Level]),
    callback=_required,
    help="Refuse to grade with weaker isolation than this.",
)
