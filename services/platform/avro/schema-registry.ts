import {
  COMPATIBILITY,
  SchemaRegistry as Client,
  SchemaType,
} from "@kafkajs/confluent-schema-registry";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import {
  askRegistry,
  registryConnection,
  statusOf,
  unavailable,
  type RegistryAccess,
  type RegistryConnection,
} from "./registry-connection.ts";
import type { AvroRecordSchema } from "./schema.ts";

const REQUEST_TIMEOUT_MS = 5_000;
const UNKNOWN_ID_TTL_MS = 30_000;
const MAX_UNKNOWN_IDS = 1_000;

/** Every method throws the retryable `registry_unavailable` if the registry gives no usable response. */
export interface SchemaRegistry {
  /**
   * The schema of an id, where a subject is given only if it is a version of that. Throws `unknown_schema`, cached for
   * 30 s, or `undecodable`.
   */
  schemaById(id: number, subject?: string): Promise<AvroRecordSchema>;
  /** The id of exactly this text under the subject. Throws `unknown_schema` if it is not registered. */
  idOf(subject: string, text: string): Promise<number>;
  /**
   * Registers the schema's text as FULL_TRANSITIVE, or finds it registered. Throws `topic_mismatch` if it is
   * incompatible.
   */
  register(subject: string, text: string): Promise<number>;
}

/** Ours have 32 kB at most, and an answer has the text in a JSON string. One of 128 kB takes a second to compile. */
const MOST_SCHEMA_BYTES = 128 * 1024;
/** Some 15,000 subjects that have the same text. */
const MOST_VERSIONS_BYTES = 1024 * 1024;

const schemaAnswer = z.object({
  schema: z.string(),
  schemaType: z.literal("AVRO").optional(),
  references: z.array(z.unknown()).max(0).optional(),
});
const recordSchema = z.looseObject({
  type: z.literal("record"),
  name: z.string(),
  fields: z.array(z.unknown()),
});
const versionsAnswer = z.array(z.object({ subject: z.string() }));

/** Otherwise many values with an unknown id would cause as many requests. */
function createUnknownIds(clock: Clock) {
  const until = new Map<string, number>();
  return {
    has: (key: string) => (until.get(key) ?? 0) > clock.now().getTime(),
    add(key: string) {
      if (until.size >= MAX_UNKNOWN_IDS) until.clear();
      until.set(key, clock.now().getTime() + UNKNOWN_ID_TTL_MS);
    },
  };
}

/** @throws `undecodable` where it is not a record, or is too large */
function readSchema(id: number, text: string | null): AvroRecordSchema {
  try {
    const { schema } = schemaAnswer.parse(JSON.parse(text ?? "null"));
    const parsed: unknown = JSON.parse(schema);
    recordSchema.parse(parsed);
    return parsed as AvroRecordSchema;
  } catch (cause) {
    throw new AppError("undecodable", `the schema ${id} is not usable`, { cause });
  }
}

/** Whether an id is a version of the subject. */
async function isVersionOf(
  connection: RegistryConnection,
  id: number,
  subject: string,
): Promise<boolean> {
  const path = `/schemas/ids/${id}/versions`;
  const { status, text } = await askRegistry(connection, path, { mostBytes: MOST_VERSIONS_BYTES });
  if (status === 404) return false;
  if (status !== 200) throw unavailable(new Error(`${path} has the status ${status}`));
  if (text === null) return false;
  try {
    return versionsAnswer.parse(JSON.parse(text)).some((one) => one.subject === subject);
  } catch (error) {
    throw unavailable(error);
  }
}

function createClient({ url, auth, agent }: RegistryConnection): Client {
  return new Client({
    host: url,
    ...(auth === null ? {} : { auth }),
    ...(agent === null ? {} : { agent }),
    middlewares: [
      () => ({
        prepareRequest: async (next) => (await next()).enhance({ timeout: REQUEST_TIMEOUT_MS }),
      }),
    ],
  });
}

function unknownText(id: number, subject: string | undefined): string {
  return subject === undefined
    ? `no schema has the id ${id}`
    : `no version of ${subject} has the schema id ${id}`;
}

/** A client of the registry's Confluent API. @throws `invalid_config` */
export function createSchemaRegistry(options: {
  readonly access: RegistryAccess;
  readonly clock: Clock;
}): SchemaRegistry {
  const connection = registryConnection(options.access);
  const client = createClient(connection);
  const unknownIds = createUnknownIds(options.clock);

  return {
    async schemaById(id, subject) {
      const key = `${subject ?? ""}/${id}`;
      const unknown = new AppError("unknown_schema", unknownText(id, subject));
      if (unknownIds.has(key)) throw unknown;
      const isKnown = subject === undefined || (await isVersionOf(connection, id, subject));
      const path = `/schemas/ids/${id}`;
      const { status, text } = isKnown
        ? await askRegistry(connection, path, { mostBytes: MOST_SCHEMA_BYTES })
        : { status: 404, text: null };
      if (status === 200) return readSchema(id, text);
      if (status !== 404) throw unavailable(new Error(`${path} has the status ${status}`));
      unknownIds.add(key);
      throw unknown;
    },

    async idOf(subject, text) {
      try {
        return await client.getRegistryIdBySchema(subject, confluentSchema(text));
      } catch (error) {
        // The client hides the status only for a 404.
        if (statusOf(error) !== null) throw unavailable(error);
        const detail = `its schema is not registered as ${subject}`;
        throw new AppError("unknown_schema", detail, { cause: error });
      }
    },

    register: (subject, text) => registerSchema({ client, connection }, subject, text),
  };
}

const HAS_NO_RULE = /\(FULL_TRANSITIVE != NONE\)/;

/** The exact text that is registered and looked up: the registry compares texts. */
function confluentSchema(text: string) {
  return { type: SchemaType.AVRO as const, schema: text };
}

async function requireCompatibility(connection: RegistryConnection, subject: string) {
  const put = { compatibility: COMPATIBILITY.FULL_TRANSITIVE };
  const { status, text } = await askRegistry(connection, `/config/${encodeURIComponent(subject)}`, {
    put,
  });
  // 409: another process has just set the rule.
  if (status !== 200 && status !== 409) throw unavailable(text);
}

/** Registers the schema's text as FULL_TRANSITIVE, or finds it registered; for the errors see SchemaRegistry. */
async function registerSchema(
  { client, connection }: { readonly client: Client; readonly connection: RegistryConnection },
  subject: string,
  text: string,
): Promise<number> {
  const compatibility = COMPATIBILITY.FULL_TRANSITIVE;
  const attempt = () => client.register(confluentSchema(text), { subject, compatibility });
  try {
    // The client creates the subject before its rule: a process killed in between leaves it without one,
    // and of two concurrent ones, one gets 409. A retry of an incompatible schema is refused again.
    const { id } = await attempt().catch(async (error: unknown) => {
      const lacksRule = error instanceof Error && HAS_NO_RULE.test(error.message);
      if (!lacksRule && statusOf(error) !== 409) throw error;
      if (lacksRule) await requireCompatibility(connection, subject);
      return attempt();
    });
    return id;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const status = statusOf(error);
    if (status !== null && status !== 409 && status !== 422) throw unavailable(error);
    const detail = `subject ${subject} rejects its schema: ${String(error)}`;
    throw new AppError("topic_mismatch", detail, { cause: error });
  }
}
