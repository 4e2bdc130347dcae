import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startCarrierAdapter } from "./service.ts";

await runService("carrier-adapter", (signal, log, tracing) =>
  startCarrierAdapter({ config: readConfig(process.env), log, signal, tracing }),
);
