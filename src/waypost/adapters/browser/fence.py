"""Keep the browser on the app's own host: addresses in, let through or stopped."""

import asyncio
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page, Route

__all__ = ["Fence"]

MOST = 500
"""Stopped addresses that are remembered; later ones are only counted."""


@dataclass
class Fence:
    """Which hosts may be reached: the app's own, and those allowed by name."""

    origin: str
    hosts: tuple[str, ...] = ()
    stopped: list[str] = field(default_factory=list)
    count: int = 0

    @cached_property
    def outside(self) -> re.Pattern[str]:
        """Matches every address outside; plain enough for JavaScript to read, so that it is matched there."""
        own = urlsplit(self.origin)
        port = own.port or 80
        inside = [re.escape(own.hostname or "") + ("(:(80|443))?" if port in (80, 443) else f":{port}")]
        for host in self.hosts:
            name, _, at = host.lower().partition(":")
            pattern = re.escape(name).replace(r"\*", "[^/:@?#]*")
            inside.append(pattern + (f":{at}" if at else r"(:\d+)?"))
        # What follows the host must end it: `http://app@elsewhere` is elsewhere.
        hosts = "|".join(f"(?:{p})" for p in inside)
        return re.compile(
            rf"^(?!(?:about|data|blob|javascript|chrome-error):)(?!(?:https?|wss?)://(?:{hosts})(?:[/?#]|$))"
        )

    def allows(self, url: str) -> bool:
        """Tell whether an address lies inside.

        >>> fence = Fence("http://127.0.0.1:5006/", ("*.example.org",))
        >>> fence.allows("http://127.0.0.1:5006/a.js"), fence.allows("ws://127.0.0.1:5006/s")
        (True, True)
        >>> fence.allows("http://127.0.0.1:9/"), fence.allows("https://cdn.example.org/x")
        (False, True)
        >>> fence.allows("mailto:me@example.org"), fence.allows("http://127.0.0.1:5006@example.net/")
        (False, False)
        """
        return not self.outside.match(url)

    def note(self, url: str) -> None:
        """Remember what was stopped."""
        self.count += 1
        if len(self.stopped) < MOST and url not in self.stopped:
            self.stopped.append(url)

    async def surround(self, what: "BrowserContext | Page") -> None:
        """Stop whatever leads outside: the page stays where it is, and foreign parts are not loaded."""
        await what.route(self.outside, self._answer)

    async def watch(self, cdp: "CDPSession") -> None:
        """Stop documents too that a redirect of the app's own host leads to; routes do not see those."""

        def paused(event: dict[str, Any]) -> None:
            asyncio.ensure_future(self._decide(cdp, event)).add_done_callback(_quietly)

        cdp.on("Fetch.requestPaused", paused)
        await cdp.send(
            "Fetch.enable", {"patterns": [{"resourceType": "Document", "requestStage": "Request"}]}
        )

    async def _decide(self, cdp: "CDPSession", event: dict[str, Any]) -> None:
        one = {"requestId": event["requestId"]}
        if self.allows(event["request"]["url"]):
            await cdp.send("Fetch.continueRequest", one)
        else:
            self.note(event["request"]["url"])
            await cdp.send("Fetch.fulfillRequest", {**one, "responseCode": 204})

    def resolver_rules(self) -> str:
        """Return Chromium's own rules: no other name is even looked up, whoever asks."""
        names = [urlsplit(self.origin).hostname or "", *(h.partition(":")[0] for h in self.hosts)]
        return "MAP * ~NOTFOUND" + "".join(f" , EXCLUDE {n}" for n in dict.fromkeys(names) if n)

    async def lift(self, what: "BrowserContext | Page") -> None:
        """Let everything through again."""
        await what.unroute(self.outside)

    async def _answer(self, route: "Route") -> None:
        self.note(route.request.url)
        if route.request.is_navigation_request():
            await route.fulfill(status=204)
        else:
            await route.abort("blockedbyclient")


def _quietly(task: "asyncio.Task[None]") -> None:
    """Let a request go whose page was closed meanwhile."""
    if not task.cancelled():
        task.exception()
