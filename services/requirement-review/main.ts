import { runService } from "../platform/run-service.ts";
import { readConfig } from "./config.ts";
import { startRequirementReview } from "./service.ts";

await runService("requirement-review", (signal, log, tracing) =>
  startRequirementReview({ config: readConfig(process.env), log, signal, tracing }),
);
