"""What a map store asks of its database: a connection that speaks as sqlite3's does, and a writer's lock."""

from typing import Any, Protocol

__all__ = ["Database", "WriteLock"]


class Database(Protocol):
    """SQLite's own connection, or another database's that is spoken to in the same words.

    Errors are sqlite3's, whatever the database.
    """

    @property
    def in_transaction(self) -> bool: ...
    def execute(self, sql: str, parameters: Any = ..., /) -> Any: ...
    def executemany(self, sql: str, parameters: Any, /) -> Any: ...
    def close(self) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *error: Any) -> Any: ...


class WriteLock(Protocol):
    def release(self) -> None: ...
