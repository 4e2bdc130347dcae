import { SchemaRegistry as Client } from "@kafkajs/confluent-schema-registry";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import { confluentSchema, registerSchema } from "./register-schema.ts";
import type { RegistryAccess } from "./registry-config.ts";
import { registryConnection, type RegistryConnection } from "./registry-connection.ts";
import { statusOf, unavailable } from "./registry-errors.ts";
import type { AvroRecordSchema } from "./schema.ts";

const REQUEST_TIMEOUT_MS = 5_000;
const UNKNOWN_ID_TTL_MS = 30_000;
const UNKNOWN_IDS_KEPT = 1_000;

/** Every method throws the retryable `registry_unavailable` if the registry gives no usable response. */
export interface SchemaRegistry {
  /** The schema of an id, cached forever. Throws `unknown_schema`, cached for 30 s, or `undecodable`. */
  schemaById(id: number): Promise<AvroRecordSchema>;
  /** The id of exactly this text under the subject. Throws `unknown_schema` if it is not registered. */
  idOf(subject: string, text: string): Promise<number>;
  /**
   * Registers the schema's text as FULL_TRANSITIVE, or finds it registered. Throws `topic_mismatch` if it is
   * incompatible.
   */
  register(subject: string, text: string): Promise<number>;
}

/** The client does not cache 404s, so many values with an unknown id would cause as many requests. */
function createUnknownIds(clock: Clock) {
  const until = new Map<number, number>();
  return {
    has: (id: number) => (until.get(id) ?? 0) > clock.now().getTime(),
    add(id: number) {
      if (until.size >= UNKNOWN_IDS_KEPT) until.clear();
      until.set(id, clock.now().getTime() + UNKNOWN_ID_TTL_MS);
    },
  };
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

export interface SchemaRegistryOptions {
  readonly access: RegistryAccess;
  readonly clock: Clock;
}

/** A client of the registry's Confluent API. @throws `invalid_config` */
export function createSchemaRegistry(options: SchemaRegistryOptions): SchemaRegistry {
  const connection = registryConnection(options.access);
  const client = createClient(connection);
  const unknownIds = createUnknownIds(options.clock);

  return {
    async schemaById(id) {
      const unknown = new AppError("unknown_schema", `no schema has the id ${id}`);
      if (unknownIds.has(id)) throw unknown;
      try {
        // The client's "schema" is an avsc type; its JSON is the original schema.
        return JSON.parse(JSON.stringify(await client.getSchema(id))) as AvroRecordSchema;
      } catch (error) {
        const status = statusOf(error);
        if (status === null) {
          throw new AppError("undecodable", `the schema ${id} is not usable`, { cause: error });
        }
        if (status !== 404) throw unavailable(error);
        unknownIds.add(id);
        throw unknown;
      }
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
