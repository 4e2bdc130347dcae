import { join, resolve } from "node:path";
import { Command } from "commander";
import { logLevel } from "kafkajs";
import { z } from "zod";
import { readTopic } from "../../examples/analytics/read-topic.ts";
import { readSettings } from "../../examples/analytics/settings.ts";
import { writeReport } from "../../examples/analytics/write-report.ts";
import {
  findBusAccess,
  findDatabaseUrl,
  runCommandLine,
} from "../../services/platform/command-line.ts";
import { withLoginOf } from "../../services/platform/db/lagging-reads.ts";
import { AppError } from "../../services/platform/errors.ts";
import { kafkaFault } from "../../services/platform/kafka/kafka-faults.ts";
import { mendRequestTimer } from "../../services/platform/kafka/mend-kafkajs.ts";
import { projectRoot } from "../project-root.ts";

const MOST_DAYS = 3_650;

const flags = z.object({
  days: z
    .string()
    .transform(Number)
    .refine((days) => days > 0 && days <= MOST_DAYS),
  out: z.string().min(1).optional(),
  data: z.string().min(1).optional(),
});

// The example's client is kafkajs as it is, whose timer warns under a current Node.
mendRequestTimer();

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

/** @throws `invalid_config` where a flag is not valid */
function readFlags(given: unknown): z.output<typeof flags> {
  const { data, error } = flags.safeParse(given);
  if (data !== undefined) return data;
  const names = [...new Set(error.issues.map(({ path }) => path.join(".")))];
  const faults = names.map((name) =>
    name === "days"
      ? `--days is a number of days above 0, at most ${MOST_DAYS}`
      : `--${name} is not a path`,
  );
  throw new AppError("invalid_config", `${faults.join("; ")}.`);
}

/** Reads what is new on the topic, then draws. */
async function drawReport({ days, out, data }: z.output<typeof flags>): Promise<void> {
  const env = await exampleEnvironment(data);
  const settings = readSettings(env);
  const quiet = { ...settings, kafka: { ...settings.kafka, logLevel: logLevel.NOTHING } };
  const events = await readTopic({ settings: quiet, once: true }).catch((error: unknown) => {
    const brokers = env["KAFKA_BROKERS"]?.split(",") ?? [];
    throw kafkaFault(error, { brokers, user: env["KAFKA_SASL_USERNAME"] });
  });
  const sqlFolder = join(projectRoot, "examples", "analytics", "sql");
  const primaryUrl = await findDatabaseUrl(process.env);
  const replicaUrl = process.env["DATABASE_READ_URL"] ?? "";
  const databaseUrl = replicaUrl === "" ? primaryUrl : withLoginOf(primaryUrl, replicaUrl);
  const { folder } = settings;
  const page = resolve(out ?? join(folder, "report.html"));
  await writeReport({ folder, sqlFolder, databaseUrl, days, out: page, now: new Date() });
  console.log(`${events} new events in ${folder}`);
  console.log(page);
}

const program = new Command("analytics")
  .description("Draw a report of orders, rejections, port-outs and webhooks as one HTML file")
  .option("--days <count>", "how far back it goes", "90")
  .option("--out <file>", "the HTML file; unless given, report.html beside the events")
  .option("--data <folder>", "the Parquet files of the events; unless given, analytics in DATA_DIR")
  .action((given: unknown) => drawReport(readFlags(given)));

await runCommandLine(program);
