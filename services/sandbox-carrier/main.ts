import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startSandboxCarrier } from "./service.ts";

await runService("sandbox-carrier", (signal, log, tracing) =>
  startSandboxCarrier({ config: readConfig(process.env), log, signal, tracing }),
);
