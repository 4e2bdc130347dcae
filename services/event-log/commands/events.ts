import { once } from "node:events";
import { createInterface } from "node:readline";
import { Command } from "commander";
import type { Pool } from "pg";
import { createCodec } from "../../messages/codec.ts";
import { systemClock } from "../../platform/clock.ts";
import { findBusAccess, findDatabaseUrl } from "../../platform/command-addresses.ts";
import { createPool } from "../../platform/db/pool.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createKafka } from "../../platform/kafka/kafka-client.ts";
import { createLogger } from "../../platform/logger.ts";
import { runCommandLine } from "../../platform/run-command-line.ts";
import { eventLine } from "./event-lines.ts";
import { eventSources, feedPages } from "./event-sources.ts";
import { verifyExport } from "./verify-export.ts";

interface Options {
  readonly account: string;
}

const NAME = "events";
const log = createLogger(NAME, "error");

function accountOf({ account }: Options): string {
  if (isUuid(account)) return account.toLowerCase();
  throw new AppError("invalid_config", "--account is not a valid account id.");
}

async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ url, service: NAME, size: 1, log });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Writes NDJSON to standard output, as fast as it is read. */
async function exportEvents(options: Options): Promise<void> {
  const accountId = accountOf(options);
  await withPool(await findDatabaseUrl(process.env), async (pool) => {
    for await (const page of feedPages(pool, accountId)) {
      const text = page.map((event) => `${eventLine(event)}\n`).join("");
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    }
  });
}

async function verify(options: Options): Promise<void> {
  const accountId = accountOf(options);
  const databaseUrl = await findDatabaseUrl(process.env);
  const { brokers, security, registry } = await findBusAccess(process.env);
  const topicPrefix = process.env["TOPIC_PREFIX"] ?? "";
  const codec = await createCodec({
    registry,
    topicPrefix,
    signal: new AbortController().signal,
    log,
    clock: systemClock,
  });
  const kafka = createKafka({ brokers, security, clientId: NAME, log });
  const verdict = await withPool(databaseUrl, async (db) => {
    const sources = await eventSources({ db, kafka, codec, topicPrefix, accountId });
    return verifyExport(createInterface({ input: process.stdin }), sources);
  });
  if ("difference" in verdict) throw new AppError("rule_broken", verdict.difference);
  const { events, newer, repeats } = verdict;
  console.log(
    `${events} events are identical in export, log and topic; ${newer} are newer than the export; ${repeats} duplicates on the topic`,
  );
}

const program = new Command(NAME).description(
  "Exports an account's events, and verifies an export",
);
program
  .command("export")
  .description("every event of an account as NDJSON, in the feed's order")
  .requiredOption("--account <id>")
  .action(exportEvents);
program
  .command("verify")
  .description("compares an export (standard input) with the log and the topic by id and bytes")
  .requiredOption("--account <id>")
  .action(verify);

await runCommandLine(program);
