"""Print a bill of materials (CycloneDX 1.5, JSON): locked requirements in, every package and hash out."""

import json
import re
import sys
import tomllib
from pathlib import Path

_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def components(text: str) -> list[dict[str, object]]:
    """Read the pins of a locked file, each with its hashes."""
    found: list[dict[str, object]] = []
    hashes: list[dict[str, str]] = []
    for line in text.splitlines():
        if pin := _PIN.match(line):
            hashes = []
            name, version = pin[1].lower().replace("_", "-"), pin[2]
            found.append(
                {"type": "library", "name": name, "version": version,
                 "purl": f"pkg:pypi/{name}@{version}", "hashes": hashes}
            )  # fmt: skip
        hashes += [{"alg": "SHA-256", "content": h} for h in _HASH.findall(line)]
    return found


def main() -> None:
    """Print the bill of the file that is named."""
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": project["name"], "version": project["version"],
                          "licenses": [{"license": {"id": project["license"]}}]}
        },
        "components": components(Path(sys.argv[1]).read_text("utf-8")),
    }  # fmt: skip
    json.dump(bill, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
