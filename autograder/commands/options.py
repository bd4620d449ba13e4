"""Options that several commands share."""

from __future__ import annotations

import click

from autograder.required import strong_enough
from autograder.sandbox import Level

__all__ = ["level_option", "ref_deps_option", "required_option"]


def _required(ctx: click.Context, param: click.Parameter, value: str | None) -> Level | None:
    """The strongest level there is, if it is at least as strong as the one required."""
    return None if value is None else strong_enough(Level(value))


_LEVELS = click.Choice([level.value for level in Level])
_HELP = "Refuse to grade with weaker isolation than this."

# The level to use, for this machine.
level_option = click.option(
    "--require-level", "level", type=_LEVELS, callback=_required, help=_HELP
)
# The level required, of whichever machine grades.
required_option = click.option("--require-level", "required", type=_LEVELS, help=_HELP)
ref_deps_option = click.option(
    "--ref-deps", is_flag=True, help="Let needed chapters stand on the reference."
)
