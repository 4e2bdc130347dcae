import { z } from "zod";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus/bus-config.ts";
import { durationMs, list, readEnv, url } from "../platform/config.ts";
import { fileStoreShape } from "../platform/files/file-store.ts";
import { deskHoursShape } from "./desk-hours.ts";

const schema = z.object({
  ...busConfigShape,
  ...healthPortShape,
  DATABASE_ROLE: databaseRole("porting_requirement_review"),
  REVIEW_DUE: durationMs("8h"),
  ...deskHoursShape,
  ...fileStoreShape,
  /** How long reading a document is retried before its check fails. */
  DOCUMENT_CHECK_GIVE_UP: durationMs("5m"),
  /** The virus scanner's address; absent: documents are not scanned. */
  CLAMD_URL: url(["tcp", "unix"]).optional(),
  /** How long the scanner may take for one document. */
  CLAMD_TIMEOUT: durationMs("15s"),
  SECRETS_KEY: list(),
});

export type RequirementReviewConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): RequirementReviewConfig {
  return readEnv(schema, env);
}
