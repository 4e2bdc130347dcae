import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startDesk } from "./service.ts";

await runService("desk", (signal, log, tracing) =>
  startDesk({ config: readConfig(process.env), log, signal, tracing }),
);
