"""Install the pinned package into the cache, and print where its APK lies. Standard library only."""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from stage import cache_of, fail, tool  # noqa: E402

__all__ = ["fetched"]


def fetched() -> Path:
    """Return the APK, installing it where it is not there. Ends the process where that fails."""
    cache = cache_of("apidemos")
    apk = cache / "node_modules/android-apidemos/apks/ApiDemos-debug.apk"
    lock = cache / "package-lock.json"
    wanted = HERE / "package-lock.json"
    if apk.is_file() and lock.is_file() and lock.read_bytes() == wanted.read_bytes():
        return apk
    npm = tool("npm", "apt install npm, or see nodejs.org")
    cache.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(HERE / name, cache / name)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    if subprocess.run(command, cwd=cache, stdout=sys.stderr, check=False).returncode:
        fail("npm could not install the package; check the network, then run this again")
    return apk


if __name__ == "__main__":
    print(fetched())
