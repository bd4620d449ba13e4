"""A ``check("randint32")`` cell in a running kernel, after the first one: seen from the client,
from the request to idle, beside an empty cell of the same kernel."""

from __future__ import annotations

import json
import subprocess

from jupyter_client.manager import start_new_kernel
from measure import Row, median, seconds_of

from autograder.course import find

ROUNDS = 15
LIMIT_SECONDS = 0.150


def rows() -> list[Row]:
    notebook = json.loads(find("ch04").solution.read_text(encoding="utf-8"))
    manager, client = start_new_kernel(stderr=subprocess.DEVNULL)
    try:

        def run(source: str) -> None:
            reply = client.execute_interactive(source, output_hook=lambda message: None, timeout=60)
            assert reply["content"]["status"] == "ok", reply["content"]

        run("from autograder.learn import check")
        for cell in notebook["cells"]:
            if cell["id"].startswith(("given-", "solve-")):
                run("".join(cell["source"]))
        run('check("randint32")')
        checks = [seconds_of(lambda: run('check("randint32")')) for _ in range(ROUNDS)]
        empty = [seconds_of(lambda: run("None")) for _ in range(ROUNDS)]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    mine = median(checks)
    return [
        Row(
            'check("randint32") in a kernel / an empty cell',
            mine,
            median(empty),
            f"{LIMIT_SECONDS * 1000:.0f} ms",
            mine <= LIMIT_SECONDS,
        )
    ]
