"""Replaces the import machinery, for whoever imports next.

Must hold: nobody else imports in this process, and the next worker has its own.

Family: patched Python and packages.
"""

import builtins
import importlib
import sys

ENDS = {"A": "hooked", "B": "hooked", "C": "hooked"}


class Finder:
    def find_spec(self, *_):
        raise SystemExit(0)


def attack(world):
    builtins.__import__ = importlib.import_module = lambda *_, **__: sys
    sys.meta_path[:] = [Finder()]
    sys.path_hooks[:] = []
    sys.path_importer_cache.clear()
    sys.modules.clear()
    return "hooked"
