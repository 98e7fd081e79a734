"""Real mobile-web apps in Chromium with a phone's profile: an address in, a Device out."""

from waypost.adapters.browser.chromium import BrowserConfig, find_chromium
from waypost.adapters.browser.device import BrowserDevice

__all__ = ["BrowserConfig", "BrowserDevice", "find_chromium"]
