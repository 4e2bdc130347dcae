import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startSandboxCarrier } from "./service.ts";

await runService("sandbox-carrier", (signal, log) =>
  startSandboxCarrier({ config: readConfig(process.env), log, signal }),
);
