"""WebDriverAgent's HTTP door: a path and a body in, the answer's value out; faults become DeviceError."""

import http.client
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from waypost.errors import DeviceError, UsageError

__all__ = ["Wda"]

_SLOW = 60.0
"""Seconds; a page source of a busy screen takes its time."""
_LOST = ("invalid session id", "no such driver", "Session does not exist")


class Wda:
    """One WebDriverAgent. A session is made when one is needed, and again where it was lost."""

    def __init__(self, url: str) -> None:
        address = url if "://" in url else f"http://{url}"
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{url!r} is no address of a WebDriverAgent; give wda:http://127.0.0.1:8100")
        self.url = address.rstrip("/")
        self._session = ""
        # A proxy of the surroundings has no part in what goes on between this machine and its phone.
        self._open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

    def get(self, path: str) -> Any:
        return self._asked("GET", path, None)

    def post(self, path: str, **body: Any) -> Any:
        return self._asked("POST", path, body)

    def in_session(self, method: str, path: str, **body: Any) -> Any:
        """Ask within the session; one that the agent has forgotten is made anew, once."""
        for turn in range(2):
            if not self._session:
                self._begin()
            try:
                whole = f"/session/{self._session}{path}"
                return self._asked(method, whole, body if method == "POST" else None)
            except DeviceError as e:
                if turn or not any(word.casefold() in str(e).casefold() for word in _LOST):
                    raise
                self._session = ""
        raise AssertionError("unreachable")

    def end(self) -> None:
        """Give the session back."""
        session, self._session = self._session, ""
        if session:
            self._asked("DELETE", f"/session/{session}", None)

    def _begin(self) -> None:
        caps: dict[str, Any] = {"alwaysMatch": {}, "firstMatch": [{}]}
        whole = self._raw("POST", "/session", {"capabilities": caps})
        value = whole.get("value")
        found = whole.get("sessionId") or (value.get("sessionId") if isinstance(value, dict) else None)
        if not isinstance(found, str) or not re.fullmatch(r"[\w-]+", found):
            raise DeviceError(f"{self.url} gave no session; is it a WebDriverAgent?")
        self._session = found

    def _asked(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        return self._raw(method, path, body).get("value")

    def _raw(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(
            self.url + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with self._open(request, timeout=_SLOW) as answer:
                raw = answer.read()
        except urllib.error.HTTPError as e:
            raise DeviceError(f"WebDriverAgent refused {path}: {_reason(e.read()) or e.reason}") from e
        except (urllib.error.URLError, http.client.HTTPException, OSError) as e:
            why = getattr(e, "reason", e)
            cure = "start WebDriverAgent on the phone, and forward its port (iproxy 8100 8100)"
            raise DeviceError(f"No WebDriverAgent answers at {self.url}: {why}; {cure}") from e
        found = _json(raw)
        if not isinstance(found, dict):
            raise DeviceError(f"What answers at {self.url} is no WebDriverAgent")
        value = found.get("value")
        if isinstance(value, dict) and value.get("error"):
            raise DeviceError(f"WebDriverAgent refused {path}: {_reason(raw)}")
        return found


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _reason(raw: bytes) -> str:
    found = _json(raw)
    value = found.get("value") if isinstance(found, dict) else None
    if not isinstance(value, dict):
        return ""
    return ": ".join(str(value[k])[:160] for k in ("error", "message") if value.get(k))
