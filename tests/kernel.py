"""A kernel on a course of the tests' own, and what its cells show."""

import os
from pathlib import Path

from jupyter_client.manager import start_new_kernel


class Kernel:
    """A kernel in the notebook of a chapter; ``run`` gives what a cell shows."""

    def __init__(self, folder: Path, root: Path, slug: str) -> None:
        environment = os.environ | {
            "OL_ROOT": str(root), "JPY_SESSION_NAME": f"work/{slug}.ipynb",
            "OL_WORK": str(folder / "work"), "PYTHONPATH": str(Path(__file__).parent.parent),
        }
        self.manager, self.client = start_new_kernel(env=environment, cwd=str(folder))

    def run(self, code, answers=()):
        """Each output as (type, text), in order; ``answers`` are typed where input is asked for."""
        shown, left = [], list(answers)

        def output(message):
            kind, content = message["msg_type"], message["content"]
            if kind == "stream" and content["name"] == "stdout":
                shown.append((kind, content["text"]))
            elif kind in ("display_data", "execute_result"):
                shown.append((kind, content["data"]["text/plain"]))
            elif kind == "error":
                shown.append((kind, content["ename"]))

        self.client.execute_interactive(
            code, timeout=60, output_hook=output, allow_stdin=bool(left),
            stdin_hook=lambda _: self.client.input(left.pop(0)),
        )
        return shown

    def card(self, code):
        ((kind, text),) = self.run(code)
        assert kind == "display_data"
        return text

    def stop(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
