import { z } from "zod";
import { busConfigShape, databaseRole } from "../messages/bus-config.ts";
import { durationMs, list, port, readEnv, url } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  DATABASE_ROLE: databaseRole("porting_requirement_review"),
  DESK_PORT: port(3001),
  PUBLIC_DESK_URL: url().optional(),
  REVIEW_DUE: durationMs("8h"),
  CLAIM_LAPSE: durationMs("15m"),
  DOCUMENTS_DIR: z.string().min(1).default(".data/documents"),
  /** How long a document that cannot be read is tried again. */
  DOCUMENT_CHECK_GIVE_UP: durationMs("5m"),
  SECRETS_KEY: list(),
});

export type RequirementReviewConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): RequirementReviewConfig {
  return readEnv(schema, env);
}
