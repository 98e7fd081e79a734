"""An APK in, a phone on a JVM that runs it out: jars fetched, checked and compiled. Standard library only."""

import contextlib
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from stage import cache_of, fail, say, tool  # noqa: E402

__all__ = ["answers", "command", "converted", "made"]

_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_ANDROID = "android-all-instrumented"
_JAVA = "apt install openjdk-17-jdk-headless maven"
_WAIT = 60.0


def made() -> Path:
    """Return the folder with `lib`, `sdk` and `classes`, made where missing. Ends the process on failure."""
    cache = cache_of("framework")
    _fetch(cache)
    _compile(cache)
    return cache


def converted(apk: Path) -> Path:
    """Return the APK's classes as a jar, converting them where that was not done before."""
    lib = made() / "lib"
    jar = lib.parent / "apps" / f"{_sha256(apk)}.jar"
    if jar.is_file():
        return jar
    say("Converting the app's classes ...")
    jar.parent.mkdir(exist_ok=True)
    draft = jar.with_suffix(f".{os.getpid()}.jar")
    words = ["-cp", f"{lib}/*", "com.googlecode.dex2jar.tools.Dex2jarCmd", "-f", "-o", str(draft), str(apk)]
    done = subprocess.run([_java("java"), *words], stdout=sys.stderr, cwd=jar.parent, check=False)
    if done.returncode or not draft.is_file():
        fail(f"the classes of {apk.name} could not be converted; the lines above say why")
    draft.rename(jar)
    return jar


def command(apk: Path, cache: Path, port: int) -> list[str]:
    """Return what runs the phone in the foreground, with the state of a new one."""
    made_at = made()
    told = cache / "told" / "com/android/tools"
    told.mkdir(parents=True, exist_ok=True)
    # Robolectric finds the app by this file. It names its manifest too, but reads the one in the APK.
    (told / "test_config.properties").write_text(f"android_resource_apk={apk}\n", encoding="utf-8")
    scratch = cache / "tmp"
    shutil.rmtree(scratch, ignore_errors=True)  # The app's data lies here, too: each start is the first.
    scratch.mkdir()
    android = next((made_at / "sdk").glob("*.jar"))
    parts = (made_at / "classes", cache / "told", converted(apk), f"{made_at}/lib/*", android)
    return [
        # Robolectric never lets go of a theme (.2 MB, two or three an action): when the heap is full, the
        # phone comes to a standstill. 2 GB lasted for 2,300 actions.
        *(_java("java"), "-Xmx4g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        # Classes that were dex have no stack maps, which newer class files must have.
        *("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"),
        *(f"-Djava.io.tmpdir={scratch}", "-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US"),
        *("-Drobolectric.offline=true", f"-Drobolectric.dependency.dir={made_at / 'sdk'}"),
        *("-Drobolectric.windowManager.useRequestedSize=true", f"-Dwaypost.port={port}"),
        *("-cp", ":".join(map(str, parts)), "waypost.framework.Main"),
    ]


def answers(port: int) -> bool:
    """Whether a phone listens on a port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=_WAIT) as s:
        s.sendall(b'{"do": "hello"}\n')
        return b'"app"' in s.recv(1 << 16)
    return False


def _java(name: str) -> str:
    home = os.environ.get("JAVA_HOME", "")
    own = Path(home) / "bin" / name
    path = str(own) if home and own.is_file() else tool(name, _JAVA)
    said = subprocess.run([path, "-version"], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+)[.\d]*", said.stderr + said.stdout)
    if found is None or int(found[1]) < 17:
        fail(f"{path} is no Java 17 or newer; {_JAVA}, or set JAVA_HOME")
    return path


def _fetch(cache: Path) -> None:
    """Put the pinned jars into the cache, each of them checked."""
    listed = HERE / "jars.sha256"
    done = cache / "jars.sha256"
    if done.is_file() and done.read_bytes() == listed.read_bytes():
        return
    maven = tool("mvn", _JAVA)
    say(f"Fetching Android's framework and Robolectric into {cache} (about 360 MB) ...")
    lib, sdk = cache / "lib", cache / "sdk"
    for folder in (lib, sdk):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    words = [maven, "-q", "-B", "-f", str(HERE / "pom.xml"), _COPY, f"-DoutputDirectory={lib}"]
    if subprocess.run(words, stdout=sys.stderr, check=False).returncode:
        fail("Maven could not fetch the jars; check the network, then run this again")
    wanted = dict(line.split()[::-1] for line in listed.read_text(encoding="utf-8").splitlines())
    found = {p.name: _sha256(p) for p in lib.iterdir()}
    if odd := sorted({name for name, _ in wanted.items() ^ found.items()}):
        fail(f"these are not the jars that {listed} lists: {', '.join(odd)}")
    for archive in lib.glob("*.aar"):
        with zipfile.ZipFile(archive) as whole:
            archive.with_suffix(".jar").write_bytes(whole.read("classes.jar"))
        archive.unlink()
    for jar in lib.glob(f"{_ANDROID}-*.jar"):
        jar.rename(sdk / jar.name)
    shutil.copyfile(listed, done)


def _compile(cache: Path) -> None:
    sources = sorted((HERE / "src").rglob("*.java"))
    wanted = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()
    stamp, classes = cache / "classes.sha256", cache / "classes"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    android = next((cache / "sdk").glob("*.jar"))
    shutil.rmtree(classes, ignore_errors=True)
    words = ["-nowarn", "-d", str(classes), "-cp", f"{android}:{cache}/lib/*"]
    built = subprocess.run(
        [_java("javac"), *words, *map(str, sources)], capture_output=True, text=True, check=False
    )
    if built.returncode:
        fail(f"the phone did not compile:\n{built.stderr}")
    stamp.write_text(wanted, encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
