import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "./errors.ts";

const credentials = z.object({
  database_url: z.string().min(1),
  kafka_brokers: z.string().min(1),
  schema_registry_url: z.string().min(1),
});

type Credentials = z.infer<typeof credentials>;

/** The address variables, and the fields in which `npm start` records the same addresses. */
const PLACES = {
  DATABASE_URL: "database_url",
  KAFKA_BROKERS: "kafka_brokers",
  SCHEMA_REGISTRY_URL: "schema_registry_url",
} as const satisfies Record<string, keyof Credentials>;

export type AddressName = keyof typeof PLACES;

/**
 * The addresses for a command line program: from the environment, else from the running `npm start`.
 * @throws `invalid_config` naming the first one missing in both
 */
export async function findAddresses<N extends AddressName>(
  env: NodeJS.ProcessEnv,
  names: readonly N[],
): Promise<Record<N, string>> {
  const given = names.map((name) => [name, env[name] ?? ""] as const);
  const missing = given.find(([, value]) => value === "");
  if (missing === undefined) return Object.fromEntries(given) as Record<N, string>;
  const path = join(env["DATA_DIR"] ?? ".data", "credentials.json");
  let running: Credentials;
  try {
    running = credentials.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    const detail = `${missing[0]} is not set and ${path} does not contain it: is npm start running?`;
    throw new AppError("invalid_config", detail, { cause });
  }
  const found = given.map(([name, value]) => [name, value === "" ? running[PLACES[name]] : value]);
  return Object.fromEntries(found) as Record<N, string>;
}
