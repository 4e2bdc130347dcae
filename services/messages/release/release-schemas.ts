import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { avroType } from "../../platform/avro/avro-record.ts";
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";
import { AppError } from "../../platform/errors.ts";
import { readHistory, readSchemaTexts, writeTypes } from "../generate/generate-types.ts";

/** A schema that was added to its history. */
interface ReleasedSchema {
  readonly name: string;
  readonly version: number;
}

/**
 * Adds every schema that differs from the newest version of its history as the next one, and generates the types.
 * @throws `topic_mismatch` where one is not compatible with every version before it, or where a history has no schema
 *   any more; nothing is written then
 */
export function releaseSchemas(root: string): readonly ReleasedSchema[] {
  const texts = readSchemaTexts(root);
  const planned = [...texts].map(([name, text]) => planOne(root, name, text));
  const faults = [...planned.flatMap((one) => one.faults), ...gone(root, texts)];
  if (faults.length > 0) throw new AppError("topic_mismatch", faults.join("\n"));
  const released = planned.filter(({ isNew }) => isNew);
  for (const { name, version, text } of released) {
    const folder = historyOf(root, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `v${version}.avsc`), text, { flag: "wx" });
  }
  writeTypes(root);
  return released.map(({ name, version }) => ({ name, version }));
}

function historyOf(root: string, name: string): string {
  return join(root, "schemas", "history", name);
}

function planOne(root: string, name: string, text: string) {
  const schema = JSON.parse(text) as AvroRecordSchema;
  const history = existsSync(historyOf(root, name)) ? readHistory(root, name) : [];
  const isNew = !isDeepStrictEqual(history.at(-1), schema);
  const faults = history.flatMap((earlier, n) =>
    incompatibilities(schema, earlier).map(
      (fault) => `${name} is not compatible with its version ${n + 1}: ${fault}`,
    ),
  );
  return { name, text, version: history.length + 1, isNew, faults };
}

/** A topic that was released is never taken away: its messages are still to be read. */
function gone(root: string, texts: ReadonlyMap<string, string>): string[] {
  const histories = readdirSync(join(root, "schemas", "history"));
  return histories
    .filter((name) => !texts.has(name))
    .map((name) => `${name} was released, but has no schema any more.`);
}

function unreadable(reader: AvroRecordSchema, writer: AvroRecordSchema): string[] {
  try {
    avroType(reader).createResolver(avroType(writer));
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Why two versions of a schema are not FULL compatible, each reading the other; empty if they are. */
export function incompatibilities(one: AvroRecordSchema, other: AvroRecordSchema): string[] {
  return [...unreadable(one, other), ...unreadable(other, one)];
}
