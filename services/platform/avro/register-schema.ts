import {
  COMPATIBILITY,
  SchemaType,
  type SchemaRegistry as Client,
} from "@kafkajs/confluent-schema-registry";
import { AppError } from "../errors.ts";
import type { RegistryConnection } from "./registry-connection.ts";
import { statusOf, unavailable } from "./registry-errors.ts";

const REQUEST_TIMEOUT_MS = 5_000;
const HAS_NO_RULE = /\(FULL_TRANSITIVE != NONE\)/;

/** The exact text that is registered and looked up: the registry compares texts. */
export function confluentSchema(text: string) {
  return { type: SchemaType.AVRO as const, schema: text };
}

async function requireCompatibility(
  { url, headers, ca }: RegistryConnection,
  subject: string,
): Promise<void> {
  // Loaded here, because this is rare and the package is large.
  const { Agent, fetch } = await import("undici");
  const response = await fetch(`${url}/config/${encodeURIComponent(subject)}`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/vnd.schemaregistry.v1+json" },
    ...(ca === null ? {} : { dispatcher: new Agent({ connect: { ca } }) }),
    body: JSON.stringify({ compatibility: COMPATIBILITY.FULL_TRANSITIVE }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw unavailable(error);
  });
  // 409: another process has just set the rule.
  if (!response.ok && response.status !== 409) throw unavailable(await response.text());
}

/** Registers the schema's text as FULL_TRANSITIVE, or finds it registered; for the errors see SchemaRegistry. */
export async function registerSchema(
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
