import { describe, expect, it } from "@jest/globals";
import type { QueryConfig, QueryResult } from "pg";
import { hashOfText, ownTextOf, readKnown, requireOwn } from "./known-schemas.ts";
import type { AvroRecordSchema } from "../platform/avro/schema.ts";
import type { Queryable } from "../platform/db/transaction.ts";
import { RELEASED_SCHEMAS } from "./generated/released-schemas.ts";
import { TOPICS } from "./topics.ts";

const topic = "porting.events";
const subject = "porting.events-value";
const { text } = TOPICS[topic];
const [first = ""] = RELEASED_SCHEMAS["PortingEvent"] ?? [];
const own = [{ topic, subject, text }] as const;

/** A database in which the id 3 stands for this text. */
function knowing(known: string): Queryable {
  const query = ({ values }: QueryConfig) => {
    const ids = (values?.[1] ?? []) as readonly number[];
    const rows = ids.flatMap((id, n) =>
      id === 3 ? [{ n: n + 1, text_hash: hashOfText(known) }] : [],
    );
    return Promise.resolve({ rows } as unknown as QueryResult<never>);
  };
  return { query };
}

describe("an id whose schema is known", () => {
  it("is read by the text that it stood for, which was another version's", async () => {
    expect(JSON.parse(first)).not.toEqual(JSON.parse(text));
    const read = (id: number) => readKnown(knowing(first), { topic, subject, id });
    expect(await read(3)).toEqual(JSON.parse(first));
    expect(await read(4)).toBeNull();
  });

  it("is not read by a text that this version does not have", async () => {
    expect(await readKnown(knowing("{}"), { topic, subject, id: 3 })).toBeNull();
  });

  it("may be given to the same schema again, however its text is set", async () => {
    await requireOwn(knowing(text), own, [3]);
    await requireOwn(knowing(first), own, [4]);
    await requireOwn(knowing("{}"), own, [3]);
  });

  it("may not be given to another version: messages of both could not be distinguished", async () => {
    const given = requireOwn(knowing(first), own, [3]);
    await expect(given).rejects.toThrow("restore the registry from its backup");
  });
});

describe("a schema of the registry", () => {
  it("is one of ours where a release has it", () => {
    const schema = JSON.parse(first) as AvroRecordSchema;
    expect(ownTextOf(topic, schema)).toBe(first);
    expect(ownTextOf(topic, { ...schema, fields: [] })).toBeUndefined();
  });
});
