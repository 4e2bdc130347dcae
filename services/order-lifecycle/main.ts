import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startOrderLifecycle } from "./service.ts";

await runService("order-lifecycle", (signal, log, tracing) =>
  startOrderLifecycle({ config: readConfig(process.env), log, signal, tracing }),
);
