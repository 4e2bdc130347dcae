import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startPlatformCarrier } from "./service.ts";

await runService("platform-carrier", (signal, log, tracing) =>
  startPlatformCarrier({ config: readConfig(process.env), log, signal, tracing }),
);
