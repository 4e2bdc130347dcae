import { z } from "zod";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus-config.ts";
import { durationMs, readEnv } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  ...healthPortShape,
  DATABASE_ROLE: databaseRole("porting_order_lifecycle"),
  DEADLINE_POLL: durationMs("500ms"),
});

export type OrderLifecycleConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): OrderLifecycleConfig {
  return readEnv(schema, env);
}
