"""Run a first minute for real in a terminal of its own, and draw what it printed: docs/terminal.svg out.

python -m scripts.terminal_picture
"""

import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

LINES = (
    "waypost map get pocket-settings",
    'waypost find pocket-settings "make the letters on the screen bigger"',
    'waypost route pocket-settings "make the letters on the screen bigger"',
    'waypost go pocket-settings "make the letters on the screen bigger"',
    'waypost find pocket-settings "book a flight to Lisbon"',
)
_PICTURE = Path(__file__).parent.parent / "docs" / "terminal.svg"
_WIDTH = 100


def _printed(line: str, home: str) -> str:
    """Run one command on a terminal, so that it prints as it does for a person."""
    near, far = pty.openpty()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    told = {"PATH": path, "HOME": home, "TERM": "xterm-256color", "COLUMNS": str(_WIDTH), "LANG": "C.UTF-8"}
    with subprocess.Popen(line, shell=True, stdout=far, stderr=far, stdin=far, env=told, cwd=home) as run:
        os.close(far)
        parts: list[bytes] = []
        while True:
            try:
                part = os.read(near, 65_536)
            except OSError:  # How Linux says that the other end is closed.
                break
            if not part:
                break
            parts.append(part)
        run.wait()
    os.close(near)
    return b"".join(parts).decode("utf-8").replace("\r\n", "\n").rstrip("\n")


def main() -> None:
    screen = Console(record=True, width=_WIDTH, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
    with tempfile.TemporaryDirectory() as home:
        for line in LINES:
            screen.print(Text.assemble(("$ ", "bold green"), (line, "bold")))
            screen.print(Text.from_ansi(_printed(line, home)))
            screen.print()
    svg = screen.export_svg(title="waypost", unique_id="waypost")
    # Fonts of somebody else's server: a picture asks nobody for anything.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")
    _PICTURE.write_text(svg, encoding="utf-8")
    print(f"{_PICTURE}: {len(svg)} bytes")


if __name__ == "__main__":
    main()
