"""Who may come in: a request's headers and path in, whether it means this server and knows its token out."""

import hmac
import ipaddress
import secrets
from urllib.parse import urlsplit

from waypost.errors import UsageError

__all__ = ["Door", "loopback", "token_for"]

_SHORTEST = 16
"""Letters of a token that somebody chooses."""


def loopback(host: str) -> bool:
    """Whether an address is this machine's own.

    >>> loopback("127.0.0.1"), loopback("localhost"), loopback("::1"), loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def token_for(host: str, chosen: str = "") -> str:
    """Return the token of a server: the chosen one; beyond loopback there is always one. Raises UsageError.

    >>> token_for("127.0.0.1"), len(token_for("0.0.0.0")) > 20
    ('', True)
    """
    if chosen and (
        len(chosen) < _SHORTEST or not chosen.isascii() or not chosen.replace("-", "_").isidentifier()
    ):
        raise UsageError(f"A token has {_SHORTEST} letters and digits or more, and begins with a letter")
    return chosen or ("" if loopback(host) else "t" + secrets.token_hex(16))


class Door:
    """Knows by which names a server goes, and its token, which stands before every path."""

    def __init__(self, host: str, port: int, token: str = "") -> None:
        self.token = token
        self.prefix = f"/{token}" if token else ""
        # Whoever listens everywhere goes by names that cannot be known; there the token alone decides.
        anywhere = host in ("0.0.0.0", "::", "")
        names = (host, "127.0.0.1", "localhost", "[::1]")
        self._names = None if anywhere else frozenset(f"{name}:{port}" for name in names)

    def ours(self, host: str | None, origin: str | None) -> bool:
        """Whether a request means this server: no name that merely leads here, no page of another site."""
        if self._names is not None and host not in self._names:
            return False
        if origin is None:
            return True
        asked = urlsplit(origin).netloc
        return asked in self._names if self._names is not None else asked == host

    def inside(self, path: str) -> str | None:
        """Return the path behind the token; None where it is missing or wrong.

        >>> Door("127.0.0.1", 1, "t0ken").inside("/t0ken/v1/models"), Door("127.0.0.1", 1).inside("/v1")
        ('/v1/models', '/v1')
        """
        if not self.token:
            return path
        first, slash, rest = path.removeprefix("/").partition("/")
        known = hmac.compare_digest(first.encode(), self.token.encode())
        return slash + rest if known and slash else None
