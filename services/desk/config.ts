import { z } from "zod";
import { carriersShape } from "../domain/carrier/read-carriers.ts";
import { expiryShape } from "../domain/deadline/deadline.ts";
import { busConfigShape, databaseRole, metricsShape } from "../messages/bus/bus-config.ts";
import { durationMs, flag, integer, list, port, readEnv, url } from "../platform/config.ts";
import { readReplicaShape } from "../platform/db/lagging-reads.ts";
import { fileStoreShape } from "../platform/files/file-store.ts";

const schema = z.object({
  ...busConfigShape,
  ...readReplicaShape,
  DATABASE_ROLE: databaseRole("porting_desk"),
  DESK_PORT: port(3001),
  ...metricsShape,
  PUBLIC_DESK_URL: url().optional(),
  /** Connections of one IP address, or of one IPv6 network (/64); 0 disables the limit. */
  CONNECTIONS_PER_ADDRESS: integer({ fallback: 200 }),
  CLAIM_LAPSE: durationMs("15m"),
  ...expiryShape,
  ...carriersShape,
  ...fileStoreShape,
  /** Of the scanner that requirement-review asks; where there is one, only a clean document can be approved. */
  CLAMD_URL: url(["tcp", "unix"]).optional(),
  SECRETS_KEY: list(),
  /** Whether the desk offers the sandbox routes, by which operators play carriers and calls. */
  SANDBOX: flag(),
});

export type DeskConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): DeskConfig {
  return readEnv(schema, env);
}
