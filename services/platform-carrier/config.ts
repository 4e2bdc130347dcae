import { z } from "zod";
import { healthPortShape, kafkaConfigShape } from "../messages/bus/bus-config.ts";
import { carriersShape } from "../domain/carrier/read-carriers.ts";
import { readEnv } from "../platform/config.ts";

const schema = z.object({
  ...kafkaConfigShape,
  ...healthPortShape,
  ...carriersShape,
  /** The gaining carrier as the holder of a number sees it. */
  LOA_CARRIER_NAME: z.string().max(64).default("Number Porting Service"),
});

export type PlatformCarrierConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): PlatformCarrierConfig {
  return readEnv(schema, env);
}
