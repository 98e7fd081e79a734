import socket

import pytest

from tests.adapters.android.adb_server import serving
from tests.adapters.android.toy import KEYS, WRITER, ToyPhone
from waypost.adapters.android.health import Sign, examined, phones


def _by_part(signs: list[Sign]) -> dict[str, Sign]:
    return {s.part.rpartition(": ")[2]: s for s in signs}


def test_no_server_is_told_and_none_is_started() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (sign,) = phones(port=port)
    assert (sign.ok, sign.cure) == (False, "adb start-server")


def test_what_answers_and_is_no_adb_server_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.settimeout(5)
        signs = list[Sign]()
        port = other.getsockname()[1]
        import threading

        def answer() -> None:
            wire, _ = other.accept()
            wire.sendall(b"HTTP/1.1 400")
            wire.close()

        thread = threading.Thread(target=answer)
        thread.start()
        signs = phones(port=port)
        thread.join()
    assert not signs[0].ok


def test_no_phone_is_told_with_the_cure() -> None:
    with serving({}) as port:
        signs = phones(port=port)
    assert [s.ok for s in signs] == [True, False]
    assert "USB debugging" in signs[1].cure


@pytest.mark.parametrize("state", ["unauthorized", "offline", "no permissions", "recovery", "strange"])
def test_a_phone_that_cannot_be_driven_has_a_cure(state: str) -> None:
    with serving({"x": state}) as port:
        sign = phones(port=port)[1]
    assert (sign.ok, sign.part) == (False, "phone x")
    assert state.split()[0] in sign.found
    assert sign.cure


def test_a_phone_in_order_is_told_so_over_the_wire() -> None:
    phone = ToyPhone(imes=[KEYS, WRITER])
    with serving({"toy": phone.execute}) as port:
        signs = phones(port=port)
    assert all(s.ok for s in signs)
    assert signs[1].found == "Toy, Android 14"


def test_a_dark_or_locked_screen_is_told() -> None:
    dark = ToyPhone(printed={"dumpsys power": b"  mWakefulness=Asleep\n"})
    assert _by_part(examined(dark))["screen"].found == "off"
    locked = ToyPhone(printed={"dumpsys window policy": b"    mIsShowing=true\n"})
    assert "unlock" in _by_part(examined(locked))["screen"].cure


def test_a_phone_that_types_ascii_only_is_told() -> None:
    sign = _by_part(examined(ToyPhone()))["typing"]
    assert not sign.ok
    assert "adbkeyboard" in sign.cure


@pytest.mark.parametrize(
    ("processes", "who"),
    [
        (b"app_process / com.wetest.uia2.Main -p 9008\n", "uiautomator2"),
        (b"io.appium.uiautomator2.server\n", "Appium"),
        (b"uiautomator runtest x.jar\n", "a uiautomator run"),
    ],
)
def test_another_holder_of_the_screen_is_named(processes: bytes, who: str) -> None:
    sign = _by_part(examined(ToyPhone(printed={"ps -A -o ARGS": processes})))["screen reading"]
    assert not sign.ok
    assert who in sign.found
    assert who in sign.cure


def test_a_holder_that_has_no_process_of_a_known_name_is_told_too() -> None:
    phone = ToyPhone(printed={"dumpsys accessibility": b"     Ui Automation[eventTypes=TYPES_ALL_MASK]\n"})
    assert "another program" in _by_part(examined(phone))["screen reading"].found


def test_services_that_a_dump_suspends_are_named() -> None:
    services = b"com.agent.portal/.Service\n"
    phone = ToyPhone(printed={"settings get secure enabled_accessibility_services": services})
    sign = _by_part(examined(phone))["screen reading"]
    assert sign.ok
    assert "com.agent.portal" in sign.found


def test_an_examination_changes_nothing() -> None:
    phone = ToyPhone()
    examined(phone)
    assert {w[0] for w in phone.log} == {"getprop", "dumpsys", "ime", "ps", "settings"}
    assert ["ime", "list", "-s", "-a"] in phone.log
