"""Run with python3 -m unittest in this folder."""

import json
import tempfile
import unittest
from pathlib import Path

from event_inbox import EventInbox
from main import signed_id
from verify_signature import refusal_of

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text("utf-8"))
EVENT_ID = "019b76da-a800-7000-8000-000000000001"


class Signature(unittest.TestCase):
    def test_matches_the_verdict_of_every_vector(self) -> None:
        self.assertGreater(len(VECTORS["vectors"]), 20)
        for vector in VECTORS["vectors"]:
            with self.subTest(vector["name"]):
                refusal = refusal_of(
                    vector["headers"].get("porting-signature"),
                    vector["body"].encode(),
                    vector["secrets"],
                    vector["now"],
                    VECTORS["tolerance_seconds"],
                )
                self.assertEqual(refusal or "valid", vector["verdict"])


class SignedId(unittest.TestCase):
    def test_is_a_uuid_from_the_body_or_none(self) -> None:
        self.assertEqual(signed_id(b'{"id": "%s"}' % EVENT_ID.encode()), EVENT_ID)
        for body in (b"", b"[]", b"null", b'{"id": 5}', b'{"id": "../../etc"}', b"\xff"):
            self.assertIsNone(signed_id(body))


class Inbox(unittest.TestCase):
    def test_recognises_duplicates_and_waiting_events_after_a_restart(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "events.sqlite3"
            first = EventInbox(path)
            self.assertTrue(first.keep(EVENT_ID, b"{}"))
            self.assertFalse(first.keep(EVENT_ID, b"{}"))
            first.close()

            second = EventInbox(path)
            self.assertFalse(second.keep(EVENT_ID, b"{}"))
            self.assertEqual(second.waiting(), [(EVENT_ID, b"{}")])
            second.finish(EVENT_ID)
            self.assertEqual(second.waiting(), [])
            second.forget_old()
            self.assertFalse(second.keep(EVENT_ID, b"{}"))
            second.close()


if __name__ == "__main__":
    unittest.main()
