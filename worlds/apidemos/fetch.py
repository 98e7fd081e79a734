"""Install the pinned package into the cache, and print where its APK lies. Standard library only."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from stage import cache_of, npm_install  # noqa: E402

__all__ = ["fetched"]


def fetched() -> Path:
    """Return the APK, installing it where it is not there. Ends the process where that fails."""
    cache = cache_of("apidemos")
    npm_install(cache, HERE)
    return cache / "node_modules/android-apidemos/apks/ApiDemos-debug.apk"


if __name__ == "__main__":
    print(fetched())
