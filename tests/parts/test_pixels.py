"""What `pixels` in a device's name brings about: which finder, whose fault, what a map remembers of it."""

from pathlib import Path

import pytest

from waypost.errors import DeviceError, UsageError
from waypost.parts.devices import DeviceOptions, DeviceSpec, open_device, parse_device
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import open_map
from waypost.parts.pixels import finder

CODE = """
from waypost.model import Bounds, Element, Role


class Icons:
    id = "anything"

    def find(self, picture, size):
        return [Element(Role.IMAGE, description="gear", bounds=Bounds(900, 100, 1000, 200), clickable=True)]


class Breaks(Icons):
    def find(self, picture, size):
        return 1 / 0


class Prose(Icons):
    def find(self, picture, size):
        return ["a gear"]


class Blind:
    id = "blind"
"""
ENTRIES = "[waypost.finders]\n" + "".join(
    f"{n.lower()} = told_icons:{n}\n" for n in ("Icons", "Breaks", "Prose", "Blind")
)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a package with finders where packages are found, as an installer leaves it."""
    site = tmp_path / "site"
    about = site / "told_icons-1.0.dist-info"
    about.mkdir(parents=True)
    (site / "told_icons.py").write_text(CODE, encoding="utf-8")
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: told-icons\nVersion: 1.0\n", encoding="utf-8"
    )
    (about / "entry_points.txt").write_text(ENTRIES, encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))


@pytest.mark.usefixtures("installed")
def test_a_detector_of_the_users_is_asked_and_its_finds_bear_its_name() -> None:
    from tests.conformance.element_finder import PAGE, SIZE

    (gear,) = finder("pixels+icons").find(PAGE, SIZE)
    assert (gear.label, gear.class_name) == ("gear", "icons")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "said"), [("breaks", "ZeroDivisionError"), ("prose", "gave str where Element")]
)
def test_a_detector_that_breaks_is_a_fault_of_the_device_in_plain_words(name: str, said: str) -> None:
    from tests.conformance.element_finder import PAGE, SIZE

    with pytest.raises(DeviceError, match=said):
        finder(f"pixels+{name}").find(PAGE, SIZE)


@pytest.mark.usefixtures("installed")
def test_a_detector_without_its_method_is_refused_before_it_is_used() -> None:
    with pytest.raises(UsageError, match="has no method 'find'"):
        finder("pixels+blind")


def test_a_device_within_is_told_from_what_looks_at_it() -> None:
    spec = parse_device("pixels+ocr:pixels:adb:emulator-5554")
    assert spec.pictured
    assert spec.innermost == DeviceSpec("adb", "emulator-5554")
    assert not parse_device("pocket:mail").pictured


@pytest.mark.usefixtures("installed")
def test_a_map_remembers_that_it_was_made_through_pixels(tmp_path: Path) -> None:
    name = "pixels+icons:pocket:clock"
    explored(name, tmp_path / "map", ExploreRequest(actions=3), options=DeviceOptions())
    with open_map(tmp_path / "map") as known:
        device = known.opened(None, None)
        assert device.name == name
        device.close()


@pytest.mark.usefixtures("installed")
def test_what_a_device_can_besides_looking_it_still_can() -> None:
    device = open_device(parse_device("pixels+icons:pocket:mail@2"))
    assert getattr(device, "app_version")("com.pocket.mail")  # noqa: B009 - beside the seam
    assert device.observe().screen == open_device(parse_device("pocket:mail@2")).observe().screen
