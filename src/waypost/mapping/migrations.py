"""Maps of older schemas made new: an open database in, the same at the newest version out."""

import sqlite3

__all__ = ["FACTS", "SCHEMA", "migrate"]

FACTS = "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
"""Since schema 2: what preconditions and effects speak of."""

_STEPS = {1: FACTS}
"""By version, what leads to the next one."""

SCHEMA = 2
"""Version of the tables; a map of a newer one is refused."""


def migrate(db: sqlite3.Connection) -> None:
    """Bring a map up to `SCHEMA`, each version in one transaction; a map that is new stays as it is."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    for old in range(version, SCHEMA):
        db.executescript(f"BEGIN IMMEDIATE; {_STEPS[old]} PRAGMA user_version = {old + 1}; COMMIT;")
