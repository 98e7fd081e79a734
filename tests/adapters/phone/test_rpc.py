import base64
import io
import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from PIL import Image

from tests.adapters.phone.client import Client, Line
from waypost.adapters.phone import Phone

START = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"


class Rpc:
    """Speaks HTTP to the served uiautomator2 server, as its client does through adb."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def http(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        line = self._client.open("tcp:9008")
        assert not line.refused
        line.write(
            f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += line.until(1)
        length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        said = line.until(length)
        line.close()
        return int(head.split()[1]), said

    def __call__(self, method: str, *params: Any) -> Any:
        asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        status, said = self.http("POST", "/jsonrpc/0", json.dumps(asked).encode())
        assert status == 200
        answer = json.loads(said)
        if "error" in answer:
            raise LookupError(answer["error"]["message"])
        return answer["result"]


@pytest.fixture
def server(client: Client, phone: Phone) -> Line:
    phone.files.write("/data/local/tmp/u2.jar", b"a jar")
    line = client.open("shell:" + START)
    assert b"Starting Server" in line.until(51)
    return line


@pytest.fixture
def rpc(client: Client, server: Line) -> Rpc:
    return Rpc(client)


def test_the_server_answers_while_who_started_it_is_there(client: Client, rpc: Rpc, server: Line) -> None:
    assert rpc.http("GET", "/ping") == (200, b"pong")
    assert rpc.http("GET", "/else")[0] == 404
    server.close()
    server.everything()
    assert client.open("tcp:9008").refused


def test_a_server_needs_its_jar_and_an_unknown_program_is_not_played(client: Client) -> None:
    assert (
        client.shell(START).err
        == "java.lang.ClassNotFoundException: com.wetest.uia2.Main (no file '/data/local/tmp/u2.jar')\n"
    )
    assert "ClassNotFoundException: org.other.Main" in client.shell("app_process / org.other.Main").err


def test_a_second_server_on_the_port_is_told_of_the_first(client: Client, rpc: Rpc) -> None:
    assert "already registered" in client.shell(START).err


def test_it_says_what_the_device_is_and_shows(rpc: Rpc) -> None:
    info = rpc("deviceInfo")
    assert (info["displayWidth"], info["displayHeight"], info["currentPackageName"]) == (
        1080,
        2400,
        "com.pocket.clock",
    )
    assert len(list(ET.fromstring(rpc("dumpWindowHierarchy", False, 50)).iter("node"))) > 20
    picture = Image.open(io.BytesIO(base64.b64decode(rpc("takeScreenshot", 0.5, 80))))
    assert (picture.format, picture.size) == ("JPEG", (540, 1200))


def test_objects_are_found_by_every_kind_of_selector(rpc: Rpc) -> None:
    tab = {"mask": 1, "text": "Timer", "childOrSibling": [], "childOrSiblingSelector": []}
    assert rpc("exist", tab)
    assert rpc("count", {"textStartsWith": "Tim", "clickable": False}) >= 1
    assert rpc("count", {"textMatches": "T.m.r"}) == rpc(
        "count", {"textContains": "imer", "textStartsWith": "Timer"}
    )
    assert rpc("exist", {"descriptionContains": "alarm", "className": "android.widget.ImageButton"}) or rpc(
        "exist", {"descriptionContains": "alarm"}
    )
    assert not rpc("exist", {"resourceId": "none"})
    inside = {
        "className": "android.widget.FrameLayout",
        "childOrSibling": ["child"],
        "childOrSiblingSelector": [{"text": "Timer"}],
    }
    assert rpc("objInfo", inside)["text"] == "Timer"
    assert (
        rpc(
            "getText",
            rpc("childByText", {"className": "android.widget.FrameLayout"}, {"text": "Timer"}, "Timer"),
        )
        == "Timer"
    )
    assert len(rpc("objInfoOfAllInstances", {"className": "android.widget.TextView"})) > 3
    with pytest.raises(LookupError, match=r"uiautomator\.UiObjectNotFoundException"):
        rpc("objInfo", {"text": "nowhere"})
    with pytest.raises(LookupError, match="regular expression"):
        rpc("exist", {"textMatches": "("})
    with pytest.raises(LookupError, match="not known"):
        rpc("exist", {"colour": "red"})


def test_waiting_ends_with_what_was_waited_for_or_with_the_time(rpc: Rpc) -> None:
    assert rpc("waitForExists", {"text": "Timer"}, 5000) is True
    assert rpc("waitForExists", {"text": "nowhere"}, 1) is False
    assert rpc("waitUntilGone", {"text": "nowhere"}, 5000) is True


def test_text_of_any_script_is_set_read_and_cleared(rpc: Rpc) -> None:
    rpc("click", {"description": "New alarm"})
    field = {"className": "android.widget.EditText"}
    assert rpc("setText", field, "你好 ünï 😀") is True
    assert rpc("getText", field) == "你好 ünï 😀"
    rpc("clearTextField", field)
    assert rpc("getText", field) == ""
    rpc("setClipboard", None, "from the clipboard")
    assert rpc("getClipboard") == "from the clipboard"
    rpc("pasteClipboard")
    assert rpc("getText", field) == "from the clipboard"
    rpc("clearInputText")
    assert rpc("getText", field) == ""
    rpc("pressKey", "back")
    rpc("pressKey", "home")
    assert rpc("deviceInfo")["currentPackageName"] == "com.pocket.launcher"


def test_lone_surrogates_do_no_harm(rpc: Rpc) -> None:
    rpc("click", {"description": "New alarm"})
    rpc("setText", {"className": "android.widget.EditText"}, "a\ud83db")
    assert ET.fromstring(rpc("dumpWindowHierarchy"))


def test_lists_scroll_to_what_is_looked_for(rpc: Rpc, client: Client) -> None:
    client.shell("monkey -p com.pocket.settings 1")
    assert rpc("waitForExists", {"scrollable": True}, 5000)
    last = rpc("objInfoOfAllInstances", {"className": "android.widget.TextView"})[-1]["text"]
    assert rpc("scrollForward", {"scrollable": True}, True, 50) is True
    assert rpc("scrollToBeginning", {"scrollable": True}, True, 500, 50) is True
    assert rpc("scrollToEnd", {"scrollable": True}, True, 500, 50) is True
    assert rpc("objInfoOfAllInstances", {"className": "android.widget.TextView"})[-1]["text"] != last
    assert rpc("scrollTo", {"scrollable": True}, {"text": last}, True) is True
    assert rpc("scrollTo", {"scrollable": True}, {"text": "nowhere"}, True) is False


def test_what_is_not_served_is_said(rpc: Rpc, notes: list[str]) -> None:
    with pytest.raises(LookupError, match="openNotification is not served"):
        rpc("openNotification")
    with pytest.raises(LookupError, match="Invalid params for click"):
        rpc("click", 1)
    with pytest.raises(LookupError, match="does not turn"):
        rpc("setOrientation", "l")
    assert len(notes) == 3
    assert rpc.http("POST", "/jsonrpc/0", b"{no json")[1].startswith(
        b'{"jsonrpc": "2.0", "id": null, "error"'
    )
