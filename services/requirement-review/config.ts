import { z } from "zod";
import { busConfigShape } from "../messages/bus-config.ts";
import { durationMs, port, readEnv, url } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  DESK_PORT: port(3001),
  PUBLIC_DESK_URL: url().optional(),
  REVIEW_DUE: durationMs("8h"),
});

export type RequirementReviewConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): RequirementReviewConfig {
  return readEnv(schema, env);
}
