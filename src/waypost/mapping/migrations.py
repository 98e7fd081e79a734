"""Maps of older schemas made new: an open database in, the same at the newest version out."""

import sqlite3

__all__ = ["SCHEMA", "TABLES", "migrate"]

_FACTS = "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
"""Since schema 3: what preconditions and effects speak of."""

_SIGNATURES = (
    "CREATE TABLE IF NOT EXISTS signatures (node TEXT NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL, "
    "made TEXT NOT NULL, PRIMARY KEY (node, at));"
)
"""Since schema 4: what each look is recognised by, and which code made it of which bytes."""

TABLES = f"""
{_FACTS}
{_SIGNATURES}
CREATE TABLE nodes (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
    overlay TEXT NOT NULL, visits INTEGER NOT NULL, depth INTEGER NOT NULL);
CREATE TABLE looks (node TEXT NOT NULL, at INTEGER NOT NULL, observation BLOB NOT NULL, image TEXT NOT NULL,
    visits INTEGER NOT NULL, PRIMARY KEY (node, at));
CREATE TABLE transitions (source TEXT NOT NULL, key TEXT NOT NULL, target TEXT NOT NULL, seq INTEGER NOT NULL,
    value TEXT NOT NULL, PRIMARY KEY (source, key, target));
CREATE TABLE skipped (node TEXT NOT NULL, key TEXT NOT NULL, seq INTEGER NOT NULL, action TEXT NOT NULL,
    reason TEXT NOT NULL, PRIMARY KEY (node, key));
CREATE TABLE untried (node TEXT PRIMARY KEY, seq INTEGER NOT NULL, keys TEXT NOT NULL);
CREATE TABLE aliases (old TEXT PRIMARY KEY, new TEXT NOT NULL);
CREATE TABLE steps (seq INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL, target TEXT NOT NULL,
    seen_at REAL NOT NULL);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
"""A map of the newest schema, in SQLite's words."""

_STEPS = {1: "", 2: _FACTS, 3: _SIGNATURES}
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
