/**
 * Reads the events of the Number Porting Service into Parquet files and draws a report of them; see the README for the
 * environment variables.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readTopic } from "./read-topic.ts";
import { folderOf, optional, readSettings } from "./settings.ts";
import { writeReport } from "./write-report.ts";

const USAGE = "node main.ts read [--once] | node main.ts report [--days 90] [--out report.html]";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    once: { type: "boolean", default: false },
    days: { type: "string", default: "90" },
    out: { type: "string", default: "report.html" },
  },
});

async function read(): Promise<void> {
  const ending = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.once(name, () => {
      ending.abort();
    });
  }
  const settings = readSettings(process.env);
  const print = (line: string): void => console.log(line);
  const events = await readTopic({ settings, once: values.once, signal: ending.signal, print });
  console.log(`${events} new events in ${settings.folder}`);
}

async function report(): Promise<void> {
  const days = Number(values.days);
  if (!(days > 0)) throw new Error(`--days ${values.days} is not a number of days above 0`);
  await writeReport({
    folder: folderOf(process.env),
    sqlFolder: join(import.meta.dirname, "sql"),
    databaseUrl: optional(process.env, "DATABASE_URL"),
    days,
    out: values.out,
    now: new Date(),
  });
  console.log(values.out);
}

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = { read, report };
const command = COMMANDS[positionals.join(" ")];
if (command === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
    process.exitCode = 1;
  }
}
