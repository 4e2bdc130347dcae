"""Carries out ports for one provider of the Number Porting Service; see the README for its environment variables."""

import json
import os
import signal
import sqlite3
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from confluent_kafka import Consumer, KafkaException, Message, Producer
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

PROVIDER = os.environ["PROVIDER"]
PREFIX = os.environ.get("TOPIC_PREFIX", "")
REQUESTS = f"{PREFIX}carriers.requests"
UPDATES = f"{PREFIX}carriers.updates"
RECEIPTS = f"{PREFIX}carriers.receipts"
GROUP = os.environ.get("GROUP_ID", f"{PREFIX}{PROVIDER}-integration")
PORT_AFTER = timedelta(seconds=float(os.environ.get("PORT_AFTER_SECONDS", "604800")))


def brokers() -> dict:
    """The address of Kafka, and how to log in to it."""
    env = {name: value for name, value in os.environ.items() if value}
    is_tls = env.get("KAFKA_SSL") == "true"
    mechanism = env.get("KAFKA_SASL_MECHANISM")
    protocol = ("SASL_" if mechanism else "") + ("SSL" if is_tls else "PLAINTEXT")
    files = {
        "ssl.ca.location": env.get("KAFKA_SSL_CA_FILE"),
        "ssl.certificate.location": env.get("KAFKA_SSL_CERT_FILE"),
        "ssl.key.location": env.get("KAFKA_SSL_KEY_FILE"),
    }
    username, password = env.get("KAFKA_SASL_USERNAME"), env.get("KAFKA_SASL_PASSWORD")
    if mechanism == "OAUTHBEARER":
        login = {
            "sasl.oauthbearer.method": "oidc",
            "sasl.oauthbearer.client.id": username,
            "sasl.oauthbearer.client.secret": password,
            "sasl.oauthbearer.token.endpoint.url": env.get("KAFKA_SASL_TOKEN_URL"),
            "sasl.oauthbearer.scope": env.get("KAFKA_SASL_SCOPE"),
        }
    else:
        login = {"sasl.username": username, "sasl.password": password}
    given = {"sasl.mechanism": mechanism, **files, **(login if mechanism else {})}
    return {
        "bootstrap.servers": env["KAFKA_BROKERS"],
        "security.protocol": protocol,
        **{name: value for name, value in given.items() if value},
    }


def registry() -> SchemaRegistryClient:
    env = {name: value for name, value in os.environ.items() if value}
    conf = {"url": env["SCHEMA_REGISTRY_URL"]}
    if "SCHEMA_REGISTRY_USERNAME" in env:
        password = env["SCHEMA_REGISTRY_PASSWORD"]
        conf["basic.auth.user.info"] = f"{env['SCHEMA_REGISTRY_USERNAME']}:{password}"
    if "SCHEMA_REGISTRY_CA_FILE" in env:
        conf["ssl.ca.location"] = env["SCHEMA_REGISTRY_CA_FILE"]
    return SchemaRegistryClient(conf)


def ask(request: dict) -> list[dict]:
    """Call your carrier here. This one accepts everything at once."""
    if request["kind"] in ("submit", "supplement"):
        foc_at = request["foc_requested"] or (datetime.now(timezone.utc) + PORT_AFTER).isoformat(
            timespec="milliseconds"
        )
        return [
            {"kind": "acknowledged", "raw_status": "SUBMITTED"},
            {"kind": "date_confirmed", "raw_status": "FOC", "foc_at": foc_at},
        ]
    if request["kind"] == "activate":
        live = {"kind": "number_active", "raw_status": "SV_ACTIVE"}
        return [
            {"kind": "activating", "raw_status": "ACTIVATION_STARTED"},
            *({**live, "phone_numbers": [number]} for number in request["phone_numbers"] or []),
        ]
    if request["kind"] == "cancel":
        return [{"kind": "cancel_confirmed", "raw_status": "CANCELLED"}]
    return []


class Answers:
    """Stores the updates of each request before they are published, so that a repeat gets the same."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        print(f"keeps its updates in {path.resolve()} (DATA_DIR)", flush=True)
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("pragma synchronous = full")
        self._db.execute(
            "create table if not exists answers (request_id text primary key, updates text not null)"
        )

    def to(self, request: dict) -> list[dict]:
        request_id = request["request_id"]
        kept = self._db.execute(
            "select updates from answers where request_id = ?", (request_id,)
        ).fetchone()
        if kept is not None:
            return json.loads(kept[0])
        updates = [
            {
                **answer,
                "update_id": f"{request_id}/{step}",
                "provider": PROVIDER,
                "order_id": request["order_id"],
                "request_version": request["request_version"],
                "occurred_at": int(time.time() * 1000),
            }
            for step, answer in enumerate(ask(request))
        ]
        self._db.execute("insert into answers values (?, ?)", (request_id, json.dumps(updates)))
        return updates


class Integration:
    def __init__(self) -> None:
        schemas = registry()
        self._decode = AvroDeserializer(schemas)
        self._encode = AvroSerializer(
            schemas, conf={"auto.register.schemas": False, "use.latest.version": True}
        )
        self._answers = Answers(Path(os.environ.get("DATA_DIR", "data")) / "answers.sqlite3")
        # No producer's id, which another login could use first; without one a repeated request must not be overtaken.
        # The partitioner of Java and JavaScript: updates from elsewhere on the same order share its partition.
        conf = {
            "enable.idempotence": False,
            "max.in.flight.requests.per.connection": 1,
            "acks": "all",
            "partitioner": "murmur2_random",
            # In bytes: the broker takes batches of 64 KiB at most.
            "batch.size": 60_000,
        }
        self._producer = Producer({**brokers(), **conf})
        self._consumer = Consumer(
            {
                **brokers(),
                "group.id": GROUP,
                "session.timeout.ms": 10_000,
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
            }
        )

    def run(self) -> None:
        """Ends with an error if something fails; a restart continues after the last commit."""
        self._consumer.subscribe(
            [REQUESTS, RECEIPTS], on_assign=lambda *_: print("joined", flush=True)
        )
        try:
            while True:
                message = self._consumer.poll(1.0)
                if message is None:
                    continue
                if error := message.error():
                    if error.fatal():
                        raise KafkaException(error)
                    print(f"the client recovers from: {error}", file=sys.stderr, flush=True)
                    continue
                self._handle(message)
                self._consumer.commit(message=message, asynchronous=False)
        finally:
            self._consumer.close()

    def _handle(self, message: Message) -> None:
        headers = dict(message.headers() or [])
        if message.value() is None or headers.get("provider") != PROVIDER.encode():
            return
        context = SerializationContext(message.topic(), MessageField.VALUE)
        record = self._decode(message.value(), context)
        if message.topic() == RECEIPTS:
            self._take_receipt(record)
        else:
            # Updates with the request's traceparent belong to its trace.
            self._answer(record, {name: value for name, value in headers.items() if name == "traceparent"})

    def _take_receipt(self, receipt: dict) -> None:
        """Alert people here: a refused update had no effect, and nobody sends it again."""
        place = f"{receipt['source_topic']}/{receipt['source_partition']}/{receipt['source_offset']}"
        why = f" {receipt['code']}: {receipt['detail']}" if receipt["code"] else ""
        print(f"receipt {receipt['outcome']} {receipt['update_id']} at {place}{why}", flush=True)

    def _answer(self, request: dict, trace: dict) -> None:
        if request["order_id"] is None:
            print(f"skipped {request['kind']} {request['request_id']}: it has no order id", flush=True)
            return
        for update in self._answers.to(request):
            self._publish(update, trace)
            print(f"published {update['kind']} {update['update_id']} of {update['order_id']}", flush=True)

    def _publish(self, update: dict, trace: dict) -> None:
        """Returns once all replicas have the update."""
        failures = []
        value = self._encode(update, SerializationContext(UPDATES, MessageField.VALUE))
        self._producer.produce(
            UPDATES,
            key=update["order_id"],
            value=value,
            headers={"provider": PROVIDER, **trace},
            on_delivery=lambda error, _: failures.append(error) if error else None,
        )
        if self._producer.flush(60) > 0 or failures:
            raise RuntimeError(f"{update['update_id']} was not published: {failures}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    Integration().run()
