import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startWebhookSender } from "./service.ts";

await runService("webhook-sender", (signal, log, tracing) =>
  startWebhookSender({ config: readConfig(process.env), log, signal, tracing }),
);
