"""Stores events in a database, so that duplicates are recognized, even after a restart."""

import sqlite3
from pathlib import Path

# Longer than automatic retries last; a republish or a recovery may arrive later still.
KEPT_DAYS = 30


class EventInbox:
    """One per thread: a connection belongs to the thread that opened it."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None, timeout=10)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = full")
        self._db.execute(
            "create table if not exists events (id text primary key, body blob not null,"
            " received_at text not null default current_timestamp, done_at text)"
        )
        self._db.execute(
            "create index if not exists events_waiting on events (received_at) where done_at is null"
        )

    def keep(self, event_id: str, body: bytes) -> bool:
        """True if the event is new; it is then safely on disk. False if it was received before."""
        added = self._db.execute(
            "insert into events (id, body) values (?, ?) on conflict do nothing", (event_id, body)
        )
        return added.rowcount == 1

    def waiting(self) -> list[tuple[str, bytes]]:
        """Events not processed yet, the oldest first."""
        return self._db.execute(
            "select id, body from events where done_at is null order by received_at, id limit 100"
        ).fetchall()

    def finish(self, event_id: str) -> None:
        self._db.execute(
            "update events set done_at = current_timestamp where id = ?", (event_id,)
        )

    def forget_old(self) -> None:
        self._db.execute(
            "delete from events where done_at < datetime('now', ?)", (f"-{KEPT_DAYS} days",)
        )

    def close(self) -> None:
        self._db.close()
