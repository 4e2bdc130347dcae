"""Receives webhooks of the Number Porting Service: checks the signature, stores the event, responds, then processes it.

Reads WEBHOOK_SECRETS (comma-separated), PORT, HOST and DATA_DIR from the environment.
"""

import json
import os
import re
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from event_inbox import EventInbox
from verify_signature import refusal_of

MAX_BODY_BYTES = 4 * 1024 * 1024
REQUEST_TIMEOUT_SECONDS = 15
PAUSE_SECONDS = 10
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def handle(event: dict) -> None:
    """Your processing. It may run twice if the program is killed before the event is marked as done."""
    print(f"handled {event['type']} {event['id']}", flush=True)


def signed_id(body: bytes) -> str | None:
    """The id inside the signed body.

    The header repeats it, but is not signed: an attacker who replays a request may change it.
    """
    try:
        event = json.loads(body)
    except ValueError:
        return None
    event_id = event.get("id") if isinstance(event, dict) else None
    return event_id if isinstance(event_id, str) and UUID.fullmatch(event_id) else None


class Receiver(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], secrets: list[str], database: Path) -> None:
        super().__init__(address, RequestHandler)
        self.secrets = secrets
        self.database = database
        self.has_work = threading.Event()

    def work(self) -> None:
        """Processes events one by one, separately from their requests; failures are retried later."""
        inbox = EventInbox(self.database)
        inbox.forget_old()
        while True:
            self.has_work.clear()
            failed = False
            while waiting := inbox.waiting():
                for event_id, body in waiting:
                    try:
                        handle(json.loads(body))
                        inbox.finish(event_id)
                    except Exception as error:  # whatever your code raises
                        print(f"{event_id} failed and will be retried: {error!r}", file=sys.stderr)
                        failed = True
                if failed:
                    break
            self.has_work.wait(PAUSE_SECONDS if failed else None)


class RequestHandler(BaseHTTPRequestHandler):
    server: Receiver
    protocol_version = "HTTP/1.1"
    timeout = REQUEST_TIMEOUT_SECONDS

    def do_POST(self) -> None:
        try:
            self.answer(self.receive())
        except Exception as error:
            print(f"{error!r}", file=sys.stderr)
            self.close_connection = True
            self.answer(500)

    def receive(self) -> int:
        """The response status. 2xx means that the event is stored; anything else causes a retry."""
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            return 411 if not length else 413
        body = self.rfile.read(int(length))
        header = self.headers.get("Porting-Signature")
        refusal = refusal_of(header, body, self.server.secrets, int(time.time()))
        if refusal is not None:
            print(f"refused: {refusal}", file=sys.stderr)
            return 401
        event_id = signed_id(body)
        if event_id is None:
            return 400
        inbox = EventInbox(self.server.database)
        try:
            is_new = inbox.keep(event_id, body)
        finally:
            inbox.close()
        if is_new:
            self.server.has_work.set()
        else:
            print(f"seen before {event_id}", flush=True)
        return 204

    def answer(self, status: int) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Disables the log line per request."""


def main() -> None:
    secrets = [text for text in os.environ.get("WEBHOOK_SECRETS", "").split(",") if text]
    if not secrets:
        sys.exit("WEBHOOK_SECRETS is not set")
    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8080")))
    database = Path(os.environ.get("DATA_DIR", "data")) / "events.sqlite3"
    server = Receiver(address, secrets, database)
    print(f"keeps its events in {database.resolve()} (DATA_DIR)", flush=True)
    threading.Thread(target=server.work, daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
