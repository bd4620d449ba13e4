"""The order of a whole run: the longest files first, so that no processor is left with one of them
at the end. It changes nothing else; fixtures lie in the files that use them."""

from __future__ import annotations

import pytest

LONGEST_FIRST = ("test_solutions", "test_audit", "test_nbgrader_course", "test_nbgrader_flow")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))
