"""Open the app's own demo budget once by its two taps, and save the browser's state: URL FILE CHROMIUM in."""

import os
import sys

from playwright.sync_api import sync_playwright

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def main(url: str, file: str, chromium: str) -> None:
    """Write cookies, local storage and IndexedDB of a browser that has the demo budget open."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=list(FLAGS), chromium_sandbox=not root)
        context = browser.new_context(
            viewport={"width": 360, "height": 800}, device_scale_factor=3, is_mobile=True, has_touch=True
        )
        # The app asks its home for a newer version; nothing but loopback is let through.
        context.route(lambda u: not u.startswith(url), lambda route: route.abort())
        page = context.new_page()
        page.goto(url)
        page.get_by_role("button", name="Don’t use a server").tap(timeout=60_000)
        page.get_by_role("button", name="View demo").tap(timeout=60_000)
        page.wait_for_url("**/budget*", timeout=120_000)
        page.get_by_role("link", name="Accounts").wait_for(timeout=60_000)
        page.wait_for_timeout(4_000)  # The budget is written to IndexedDB a moment after it shows.
        context.storage_state(path=file, indexed_db=True)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:4])
