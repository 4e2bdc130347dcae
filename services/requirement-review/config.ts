import { z } from "zod";
import { carriersShape } from "../domain/carrier/read-carriers.ts";
import { expiryShape } from "../domain/deadline/expiry-config.ts";
import { busConfigShape, databaseRole, metricsShape } from "../messages/bus/bus-config.ts";
import { durationMs, flag, integer, list, port, readEnv, url } from "../platform/config.ts";
import { readReplicaShape } from "../platform/db/read-replica-config.ts";
import { fileStoreShape } from "../platform/files/file-store-config.ts";
import { deskHoursShape } from "./desk-hours.ts";

const schema = z.object({
  ...busConfigShape,
  ...readReplicaShape,
  DATABASE_ROLE: databaseRole("porting_requirement_review"),
  DESK_PORT: port(3001),
  ...metricsShape,
  PUBLIC_DESK_URL: url().optional(),
  /** Connections of one IP address, or of one IPv6 network (/64); 0 disables the limit. */
  CONNECTIONS_PER_ADDRESS: integer({ fallback: 200 }),
  REVIEW_DUE: durationMs("8h"),
  ...deskHoursShape,
  CLAIM_LAPSE: durationMs("15m"),
  ...expiryShape,
  ...carriersShape,
  ...fileStoreShape,
  /** How long reading a document is retried before its check fails. */
  DOCUMENT_CHECK_GIVE_UP: durationMs("5m"),
  /** The virus scanner's address; absent: documents are not scanned. */
  CLAMD_URL: url(["tcp", "unix"]).optional(),
  /** How long the scanner may take for one document. */
  CLAMD_TIMEOUT: durationMs("15s"),
  SECRETS_KEY: list(),
  /** Whether the desk offers the sandbox routes, by which operators play carriers and calls. */
  SANDBOX: flag(),
});

export type RequirementReviewConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): RequirementReviewConfig {
  return readEnv(schema, env);
}
