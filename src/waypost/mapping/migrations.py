"""Maps of older schemas made new: an open database in, the same at the newest version out."""

import sqlite3

__all__ = ["FACTS", "SCHEMA", "SIGNATURES", "migrate"]

FACTS = "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
"""Since schema 3: what preconditions and effects speak of."""

SIGNATURES = (
    "CREATE TABLE IF NOT EXISTS signatures (node TEXT NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL, "
    "made TEXT NOT NULL, PRIMARY KEY (node, at));"
)
"""Since schema 4: what each look is recognised by, and which code made it of which bytes."""

_STEPS = {1: "", 2: FACTS, 3: SIGNATURES}
"""By version, what leads to the next one.

Of 2, transitions have a standing, and the map another version of the app that it has met: values with a
default, so that no row changes. Of 3, the table is filled when the map is next read.
"""

SCHEMA = 4
"""Version of the tables; a map of a newer one is refused."""


def migrate(db: sqlite3.Connection) -> None:
    """Bring a map up to `SCHEMA`, each version in one transaction; a map that is new stays as it is."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    for old in range(version, SCHEMA):
        db.executescript(f"BEGIN IMMEDIATE; {_STEPS[old]} PRAGMA user_version = {old + 1}; COMMIT;")
