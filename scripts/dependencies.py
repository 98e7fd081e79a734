"""Hold the locked requirements against rules that need no network: locked files in, what is wrong out.

    python -m scripts.dependencies

Every requirement is pinned and hashed; no pin is among `requirements/advisories.txt`; every package that is
installed is under a licence that goes with Apache-2.0. Exit code 1 where something is wrong. Known
vulnerabilities beyond the list are asked for by `scripts/audit`, which needs a network.
"""

import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["advisories", "faults", "licence"]

ROOT = Path(__file__).parent.parent
LOCKED = ("core.txt", "dev.txt", "model.txt")
_PERMISSIVE = re.compile(
    r"\b(MIT|BSD|0BSD|Apache|ISC|ISCL|PSF|Python Software Foundation|Zlib|CC0|Unlicense|HPND)\b", re.I
)
_WEAK = re.compile(r"\b(MPL|Mozilla|LGPL|Lesser)", re.I)
"""Licences whose terms end at the package's own files."""
_STRONG = re.compile(
    r"(?<!L)\bA?GPL|(?<!Lesser )General Public|SSPL|Non-?Commercial|-NC-|Commons Clause", re.I
)
PROGRAMS = {"up-fast-downward", "fast-downward-translate"}
"""Under the GPL, for an extra, run as programs of their own and never imported."""
BY_HAND = {"axe-playwright-python": "MIT, as its repository says"}
"""Packages whose metadata name no licence."""


def advisories(text: str) -> dict[str, list[tuple[Requirement, str]]]:
    r"""Read the list of versions that must not be locked.

    >>> advisories("# a comment\nh11<0.16.0  CVE-2025-43859 smuggling")["h11"][0][1]
    'CVE-2025-43859 smuggling'
    """
    found: dict[str, list[tuple[Requirement, str]]] = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            said, _, why = line.partition(" ")
            wanted = Requirement(said)
            found.setdefault(canonicalize_name(wanted.name), []).append((wanted, why.strip()))
    return found


def faults(
    text: str, known: dict[str, list[tuple[Requirement, str]]], licence: Callable[[str], str | None]
) -> Iterator[str]:
    """Yield what is wrong in a locked file; `licence` gives a package's, None where it is not installed."""
    for block in re.split(r"\n(?=[A-Za-z0-9])", "\n" + re.sub(r"(?m)^\s*#.*$", "", text)):
        head = block.split("--hash", 1)[0].replace("\\", "").strip()
        if not head:
            continue
        pinned = Requirement(head)
        name = canonicalize_name(pinned.name)
        exact = [s.version for s in pinned.specifier if s.operator == "=="]
        if len(exact) != 1 or "--hash=sha256:" not in block:
            yield f"{head} is not pinned with a hash"
            continue
        for bad, why in known.get(name, ()):
            if bad.specifier.contains(exact[0], prereleases=True):
                yield f"{name} {exact[0]}: {why}"
        said = licence(name)
        if said is not None and (wrong := _wrong(name, said)):
            yield f"{name}: {wrong}"


def _wrong(name: str, said: str) -> str:
    if name in PROGRAMS or name in BY_HAND:
        return ""
    if _STRONG.search(said):
        return f"its licence does not go with Apache-2.0: {said}"
    return "" if _PERMISSIVE.search(said) or _WEAK.search(said) else f"look at its licence by hand: {said!r}"


def licence(name: str) -> str | None:
    """Return what an installed package says of its licence; None where it is not installed."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return None
    # The newest field first; classifiers where it says nothing: some are there for want of a better one.
    short = str(told["License-Expression"] or (told["License"] or "").split("\n")[0])
    if any(kind.search(short) for kind in (_STRONG, _PERMISSIVE, _WEAK)):
        return short
    classed = [c for c in told.get_all("Classifier") or [] if c.startswith("License")]
    return "; ".join(c.rpartition("::")[2].strip() for c in classed)


def main() -> None:
    """Look at every locked file."""
    folder = ROOT / "requirements"
    known = advisories((folder / "advisories.txt").read_text("utf-8"))
    found = [
        f"{file}: {fault}"
        for file in LOCKED
        for fault in faults((folder / file).read_text("utf-8"), known, licence)
    ]
    for line in found:
        print(line, file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
