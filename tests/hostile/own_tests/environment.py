"""Reads the environment, the command line, pytest's options and the machine's names.

Must come of it: nothing. They are the same for every implementation, or say nothing of it.
"""

import locale
import os
import platform
import sys
import sysconfig
from pathlib import Path

WORDS = ("mutant", "planted", "variant", "pitfall", "reference")


def clean(text):
    """Without the path of this file, which a runner's command line may hold."""
    own = Path(__file__).resolve()
    return str(text).replace(str(own), "").replace(own.name, "").lower()


def test_environment_and_command_line():
    """Variables, arguments and search paths."""
    seen = [*os.environ.items(), sys.argv, sys.orig_argv, sys._xoptions, sys.warnoptions]
    text = clean(seen)

    assert not any(word in text for word in WORDS)


def test_pytest_options(request, pytestconfig):
    """What pytest was started with, and which plugins it has."""
    config = pytestconfig
    seen = [config.invocation_params, config.args, vars(config.option), config.rootpath]
    seen += [name for name, _ in config.pluginmanager.list_name_plugin()]
    seen += [request.node.nodeid, request.session.name]
    text = clean(seen)

    assert not any(word in text for word in WORDS)


def test_names_of_the_machine():
    """Host, user, locale, build."""
    text = clean([platform.uname(), locale.getlocale(), sysconfig.get_config_var("CONFIG_ARGS")])

    assert not any(word in text for word in ("mutant", "planted"))
