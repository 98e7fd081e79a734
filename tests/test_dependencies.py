"""What is locked is pinned, hashed, under a licence that fits, and no version that is known to be bad."""

import re
from pathlib import Path

import pytest
from scripts.dependencies import LOCKED, advisories, faults, licence

FOLDER = Path(__file__).parent.parent / "requirements"
KNOWN = advisories((FOLDER / "advisories.txt").read_text("utf-8"))
HASH = "--hash=sha256:" + "0" * 64


@pytest.mark.parametrize("file", LOCKED)
def test_what_is_locked_holds(file: str) -> None:
    text = (FOLDER / file).read_text("utf-8")
    assert len(re.findall(r"(?m)^\w[^\n]*==", text)) > 1
    assert list(faults(text, KNOWN, licence)) == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"jinja2==3.1.5 \\\n    {HASH}", "CVE-2025-27516"),
        (f"litellm==1.82.7 \\\n    {HASH}", "stealer"),
        (f"Jinja2[i18n]==3.1.5 ; python_version < '4' \\\n    {HASH}", "CVE-2025-27516"),
        ("numpy==2.4.6", "not pinned with a hash"),
        (f"numpy>=2 \\\n    {HASH}", "not pinned"),
    ],
)
def test_a_bad_pin_is_told(line: str, told: str) -> None:
    (found,) = faults(f"# a comment\n{line}\n    # via waypost\n", KNOWN, lambda name: None)
    assert told in found


@pytest.mark.parametrize(
    ("said", "fits"),
    [
        ("MIT", True),
        ("MPL-2.0 AND MIT", True),
        ("LGPL-3.0-only", True),
        ("GNU Lesser General Public License v3 (LGPLv3)", True),
        ("GPL-3.0-only", False),
        ("AGPL-3.0", False),
        ("GNU General Public License v3 (GPLv3)", False),
        ("CC-BY-NC-SA-4.0", False),
        ("BSD with Commons Clause", False),
        ("", False),
    ],
)
def test_a_licence_fits_or_is_told(said: str, fits: bool) -> None:
    found = list(faults(f"some-package==1 \\\n    {HASH}", {}, lambda name: said))
    assert (found == []) is fits


def test_a_later_version_is_not_told() -> None:
    assert list(faults(f"jinja2==3.1.6 \\\n    {HASH}", KNOWN, lambda name: "MIT")) == []
