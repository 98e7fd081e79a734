"""Nothing private reaches the disk: devices show it cut out, pictures boxed, and maps never hold it."""

import io
import sqlite3
from pathlib import Path

import pytest
from benchmarks.security.__main__ import hazards, private
from PIL import Image

from tests.mapping.looks import listed, screen, text, toolbar
from waypost.adapters.discreet import Discreet, boxed, discreet
from waypost.mapping import Mapper, MapStore
from waypost.model import Action, Bounds, Element, ImageStatus, Observation, Role, Screen

SECRETS = ("ann@example.org", "4111 1111 1111 1111", "hunter2", "482913", "eyJhbGciOiJIUzI1NiJ9.abc.def")


def _shown() -> Screen:
    secret = Element(Role.FIELD, text="swordfish", password=True, bounds=Bounds(0, 900, 1080, 1000))
    return screen(
        toolbar("Account"),
        text(f"Signed in as {SECRETS[0]}", 300),
        text(f"Card {SECRETS[1]}", 420),
        text(f"Password: {SECRETS[2]}", 540),
        text(f"Your code is {SECRETS[3]}", 660),
        text(f"Authorization: Bearer {SECRETS[4]}", 780),
        secret,
        activity="/account?token=ab12cd34",
    )


class Showing:
    """A device that shows one screen."""

    name, profile = "showing", "1080x2400"

    def __init__(self, shown: Screen, image: bytes = b"") -> None:
        self._look = Observation(shown, image, ImageStatus.SHOWN if image else ImageStatus.NOT_ASKED, 1.0)

    def observe(self, *, pixels: bool = False) -> Observation:
        return self._look

    def perform(self, action: Action) -> None:
        self.done: Action | None = action

    def restart(self, app: str = "") -> None:
        self.done = None

    def close(self) -> None:
        self.done = None


def _picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (540, 1200), (255, 255, 255)).save(out, "PNG")
    return out.getvalue()


def test_a_map_of_a_page_full_of_secrets_holds_none_of_them(tmp_path: Path) -> None:
    device = Discreet.over(Showing(_shown(), _picture()))
    store = MapStore.create(tmp_path, "org.example.app")
    mapper = Mapper(store.load(), store=store)
    mapper.enter(device.observe(pixels=True))
    mapper.commit()
    dump = "\n".join(str(look.observation) for n in store.load().nodes.values() for look in n.looks)
    store.close()
    with sqlite3.connect(tmp_path / "map.sqlite") as db:
        dump += "\n".join(db.iterdump())
    for secret in (*SECRETS, "swordfish", "ab12cd34"):
        assert secret not in dump
    assert "[e-mail]" in dump


def test_what_is_private_is_black_on_the_picture_and_the_rest_is_not() -> None:
    with Image.open(io.BytesIO(boxed(_picture(), _shown()))) as image:
        assert image.size == (540, 1200)
        assert image.getpixel((200, 170)) == (0, 0, 0)
        assert image.getpixel((200, 475)) == (0, 0, 0)
        assert image.getpixel((200, 1100)) == (255, 255, 255)


def test_a_picture_that_cannot_be_covered_is_not_kept() -> None:
    look = Discreet.over(Showing(_shown(), b"\x89PNG not a picture")).observe(pixels=True)
    assert (look.image, look.image_status) == (b"", ImageStatus.FAILED)


def test_a_screen_without_secrets_stays_the_very_same() -> None:
    plain = screen(toolbar("Settings"), listed(["Sounds", "About"]))
    assert discreet(plain) is plain
    assert Discreet.over(Showing(plain)).profile == "1080x2400"


def test_a_device_is_covered_once() -> None:
    once = Discreet.over(Showing(_shown()))
    assert Discreet.over(once) is once


def test_the_labelled_sets_are_judged_as_they_were(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the halves that no word was chosen by; `python -m benchmarks.security` prints all."""
    guarded, cut = hazards("held"), private("held")
    with capsys.disabled():
        print(f" hazards {guarded['recall']['share']}, private {cut['recall']['share']}", end="")
    assert guarded["recall"]["n"] + guarded["false_alarms"]["n"] >= 200
    assert guarded["recall"]["share"] >= 0.88
    assert guarded["false_alarms"]["share"] <= 0.06
    assert cut["recall"]["share"] >= 0.95
    assert cut["over_redaction"]["share"] <= 0.08
