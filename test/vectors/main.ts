import { writeFileSync } from "node:fs";
import { VECTORS_FILE } from "./vectors-file.ts";
import { webhookVectors } from "./webhook-vectors.ts";

writeFileSync(VECTORS_FILE, `${JSON.stringify(webhookVectors(), null, 2)}\n`);
