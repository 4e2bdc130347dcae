import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startOutboxRelay } from "./service.ts";

await runService("outbox-relay", (signal, log, tracing) =>
  startOutboxRelay({ config: readConfig(process.env), signal, log, tracing }),
);
