"""An address of the web in, the app that it belongs to and the place in it out."""

from urllib.parse import urlsplit

__all__ = ["address"]


def address(url: str) -> tuple[str, str]:
    """Split an address into the app (origin) and the place in it (path, query, fragment).

    >>> address("http://127.0.0.1:5006/accounts/1?q=a#top")
    ('http://127.0.0.1:5006', '/accounts/1?q=a#top')
    >>> address("about:blank")
    ('about:blank', '')
    """
    parts = urlsplit(url)
    if not parts.netloc:
        return url, ""
    place = (
        parts.path
        + (f"?{parts.query}" if parts.query else "")
        + (f"#{parts.fragment}" if parts.fragment else "")
    )
    return f"{parts.scheme}://{parts.netloc}", place
