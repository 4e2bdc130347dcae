import { z } from "zod";
import { healthPortShape, kafkaConfigShape } from "../messages/bus/bus-config.ts";
import { carriersShape } from "../domain/carrier/read-carriers.ts";
import { integer, readEnv } from "../platform/config.ts";

const schema = z.object({
  ...kafkaConfigShape,
  ...healthPortShape,
  ...carriersShape,
  /** Milliseconds between two steps of a script. */
  SANDBOX_STEP_MS: integer({ fallback: 1_000, min: 1, max: 86_400_000 }),
});

export type SandboxCarrierConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): SandboxCarrierConfig {
  return readEnv(schema, env);
}
