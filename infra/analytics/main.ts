import { join, resolve } from "node:path";
import { Command } from "commander";
import { z } from "zod";
import { readTopic } from "../../examples/analytics/read-topic.ts";
import { readSettings } from "../../examples/analytics/settings.ts";
import { writeReport } from "../../examples/analytics/write-report.ts";
import { findBusAccess, findDatabaseUrl } from "../../services/platform/command-addresses.ts";
import { runCommandLine } from "../../services/platform/run-command-line.ts";
import { projectRoot } from "../project-root.ts";

const flags = z.object({
  days: z.coerce.number().positive().max(3_650),
  out: z.string().min(1).optional(),
  data: z.string().min(1).optional(),
});

/** The example's environment, with the addresses of the running product where the process has none. */
async function exampleEnvironment(data: string | undefined): Promise<NodeJS.ProcessEnv> {
  const { brokers, security, registry } = await findBusAccess(process.env);
  const { KAFKA_SSL, ...login } = security;
  return {
    TOPIC_PREFIX: process.env["TOPIC_PREFIX"],
    KAFKA_BROKERS: brokers.join(","),
    KAFKA_SSL: String(KAFKA_SSL),
    ...login,
    ...registry,
    DATA_DIR: data ?? join(process.env["DATA_DIR"] ?? ".data", "analytics"),
  };
}

/** Reads what is new on the topic, then draws. */
async function drawReport({ days, out, data }: z.output<typeof flags>): Promise<void> {
  const settings = readSettings(await exampleEnvironment(data));
  await readTopic({ settings, once: true });
  const sqlFolder = join(projectRoot, "examples", "analytics", "sql");
  const databaseUrl = await findDatabaseUrl(process.env);
  const { folder } = settings;
  const page = resolve(out ?? join(folder, "report.html"));
  await writeReport({ folder, sqlFolder, databaseUrl, days, out: page, now: new Date() });
  console.log(page);
}

const program = new Command("analytics")
  .description("Draw a report of orders, rejections, port-outs and webhooks as one HTML file")
  .option("--days <count>", "how far back it goes", "90")
  .option("--out <file>", "the HTML file; unless given, report.html beside the events")
  .option("--data <folder>", "the Parquet files of the events; unless given, analytics in DATA_DIR")
  .action((given: unknown) => drawReport(flags.parse(given)));

await runCommandLine(program);
