import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startEventLog } from "./service.ts";

await runService("event-log", (signal, log, tracing) =>
  startEventLog({ config: readConfig(process.env), log, signal, tracing }),
);
