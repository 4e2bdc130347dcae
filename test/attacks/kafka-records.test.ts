import { beforeAll, describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import type { IHeaders } from "kafkajs";
import { openCarrierSide, type CarrierSide } from "../support/carriers/carrier-side.ts";
import { buildCarrierUpdate } from "../support/carriers/carrier-update-factory.ts";
import { eventually } from "../support/eventually.ts";
import { connectClient } from "../support/stack/test-client.ts";
import { readMessages } from "../support/stack/topic-messages.ts";

const PROVIDER = "us-lsr";
/** A reader that is held up needs many times as long; a busy machine some of it. */
const SOON_MS = 8_000;

let side: CarrierSide;
let topic: string;

beforeAll(async () => {
  side = await openCarrierSide();
  topic = `${side.product.topicPrefix}carriers.updates`;
});

interface GivenRecord {
  readonly key?: Buffer | string;
  readonly value?: Buffer;
  readonly headers?: IHeaders;
}

function updateValue(): Buffer {
  return side.codec.encode("carriers.updates", buildCarrierUpdate({ provider: PROVIDER }));
}

/** Publishes records on one partition, each alone and with a message-id of its own; returns these. */
async function publish(...records: readonly GivenRecord[]): Promise<string[]> {
  const messages = records.map(({ key = "k", value = updateValue(), headers = {} }) => ({
    // By a partition that is given, kafkajs does not hash the key, which would take it a minute.
    ...{ key, value, partition: 0 },
    headers: { "message-id": randomUUID(), ...headers },
  }));
  for (const message of messages) await side.producer.send({ topic, messages: [message] });
  return messages.map(({ headers }) => headers["message-id"]);
}

/** The codes of the receipts of these messages, soon. */
async function receiptsOf(ids: readonly string[]): Promise<unknown[]> {
  return eventually(async () => {
    const receipts = await readMessages(side.product, "carriers.receipts");
    const codes = ids.map(
      (id) => receipts.find(({ source_message_id: source }) => source === id)?.code,
    );
    expect(codes).not.toContain(undefined);
    return codes;
  }, SOON_MS);
}

describe("a record of a carrier that would take long to handle", () => {
  it("is refused for its key, which goes nowhere", async () => {
    const key = Buffer.alloc(60_000, "k");
    const ids = await publish({ key, value: Buffer.from("x") }, { key }, {});
    expect(await receiptsOf(ids)).toEqual(["invalid_message", "invalid_message", "unknown_order"]);
    const database = await connectClient(side.product.databaseUrl);
    const { rows } = await database.query<{ sent: number; kept: number }>(
      `select (select max(length(key)) from messaging.outbox) as sent,
        (select max(length(key)) from messaging.dead_letters) as kept`,
    );
    expect(rows).toEqual([{ sent: expect.any(Number), kept: expect.any(Number) }]);
    expect(Math.max(Number(rows[0]?.sent), Number(rows[0]?.kept))).toBeLessThanOrEqual(255);
  });

  it("is refused for its headers, however many fit", async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 12_000 }, (_, n) => [n.toString(36), ""]),
    );
    const ids = await publish({ headers }, {}, { headers }, {});
    expect(await receiptsOf(ids)).toEqual([
      "invalid_message",
      "unknown_order",
      "invalid_message",
      "unknown_order",
    ]);
  });

  it.each(["updates", "calls"])("reaches carriers.%s in small batches only", async (name) => {
    const value = Buffer.alloc(70_000);
    const sent = side.producer.send({
      topic: `${side.product.topicPrefix}carriers.${name}`,
      messages: [{ key: "k", value }],
    });
    await expect(sent).rejects.toMatchObject({ type: "MESSAGE_TOO_LARGE" });
  });
});

describe("a schema that somebody else has registered", () => {
  async function register(subject: string, schema: object): Promise<number> {
    const url = `${side.product.registryUrl}/subjects/${subject}/versions`;
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/vnd.schemaregistry.v1+json" },
      body: JSON.stringify({ schema: JSON.stringify(schema) }),
    });
    const { id } = (await answer.json()) as { readonly id: number };
    return id;
  }

  function withId(id: number, ...bytes: readonly number[]): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(id, 1);
    return Buffer.concat([head, Buffer.from(bytes)]);
  }

  it("is unknown on a carriers' topic, of which it is no version", async () => {
    const entries = [0xfe, ...Array<number>(7).fill(0xff), 0x1f];
    const fields = [{ name: "more", type: { type: "map", values: "null" } }];
    const schema = { type: "record", name: "CarrierUpdate", namespace: "x", fields };
    const id = await register(`mine-${randomUUID()}`, schema);
    const ids = await publish({ value: withId(id, ...entries) }, {});
    expect(await receiptsOf(ids)).toEqual(["unknown_schema", "unknown_order"]);
  });

  it("loops nobody where it is a version of the topic's own subject", async () => {
    const url = `${side.product.registryUrl}/subjects/${topic}-value/versions/latest`;
    const latest = (await (await fetch(url)).json()) as { readonly schema: string };
    const ours = JSON.parse(latest.schema) as { readonly fields: readonly object[] };
    const more = { name: "more", type: { type: "map", values: "null" }, default: {} };
    const id = await register(`${topic}-value`, { ...ours, fields: [more, ...ours.fields] });
    const entries = [0xfe, ...Array<number>(7).fill(0xff), 0x1f];
    const ids = await publish({ value: withId(id, ...entries) }, {});
    expect(await receiptsOf(ids)).toEqual(["undecodable", "unknown_order"]);
  });

  it("is not compiled where it is large", async () => {
    const url = `${side.product.registryUrl}/subjects/${topic}-value/versions/latest`;
    const latest = (await (await fetch(url)).json()) as { readonly schema: string };
    const ours = JSON.parse(latest.schema) as { readonly fields: readonly object[] };
    const more = Array.from({ length: 5_000 }, (_, n) => ({
      ...{ name: `f${n}`, type: "int", default: 0 },
    }));
    const id = await register(`${topic}-value`, { ...ours, fields: [...ours.fields, ...more] });
    const ids = await publish({ value: withId(id, 0) }, {});
    expect(await receiptsOf(ids)).toEqual(["undecodable", "unknown_order"]);
  });
});
