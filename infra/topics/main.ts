import { readConfig } from "./config.ts";
import { ensureTopics } from "./ensure-topics.ts";

try {
  await ensureTopics({ ...readConfig(process.env), log: (line) => console.log(line) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
