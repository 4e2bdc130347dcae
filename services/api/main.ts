import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startApi } from "./service.ts";

await runService("api", (signal, log, tracing) =>
  startApi({ config: readConfig(process.env), log, signal, tracing }),
);
