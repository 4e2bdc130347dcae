import { once } from "node:events";
import { createInterface } from "node:readline";
import { Command, Option } from "commander";
import type { Pool } from "pg";
import type { Kafka } from "kafkajs";
import { isAccount } from "../../domain/account/store/accounts.ts";
import { toStorable } from "../../domain/event/rules/storable-event.ts";
import { findEvent, readFeed, type FeedEvent } from "../../domain/event/store/feed.ts";
import { createCodec, type Codec } from "../../messages/codec.ts";
import { systemClock } from "../../platform/clock.ts";
import { findBusAccess, findDatabaseUrl, runCommandLine } from "../../platform/command-line.ts";
import { createPool } from "../../platform/db/pool.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { uuidIn } from "../../platform/ids.ts";
import { createKafka } from "../../platform/kafka/kafka-client.ts";
import { fetchTopicOffsets, readTopic } from "../../platform/kafka/topic-offsets.ts";
import { createLogger } from "../../platform/logger.ts";
import { eventLine } from "./event-lines.ts";
import { exportLog } from "./export/export-log.ts";
import { EXPORT_FORMATS, openTarget, type ExportFormat } from "./export/open-target.ts";
import { verifyExport, type Sources } from "./verify-export.ts";

const PAGE_SIZE = 1_000;

/** An account's current feed, page by page. */
async function* feedPages(
  db: Queryable,
  accountId: string,
): AsyncGenerator<readonly FeedEvent[], void> {
  for (let after = 0; ;) {
    const page = await readFeed(db, { accountId, after, limit: PAGE_SIZE });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.seq ?? after;
  }
}

export interface SourceOptions {
  readonly db: Queryable;
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly topicPrefix: string;
  readonly accountId: string;
}

/** The log and the topic in the form that `verifyExport` compares. */
async function eventSources(options: SourceOptions): Promise<Sources> {
  const { db, kafka, codec, accountId } = options;
  const topic = `${options.topicPrefix}porting.events`;
  return {
    log: feedPages(db, accountId),
    readTopic: (onEvent) =>
      readTopic({
        kafka,
        topic,
        onBatch: async (batch) => {
          for (const { value } of batch) {
            const event = await codec.decode("porting.events", value);
            if (event.account_id !== accountId) continue;
            const { id, body } = toStorable(event);
            onEvent({ id, body });
          }
        },
      }),
    isLogged: async (id) => (await findEvent(db, accountId, id)) !== null,
    topicIsWhole: await hasFirstRecords(kafka, topic),
  };
}

async function hasFirstRecords(kafka: Kafka, topic: string): Promise<boolean> {
  const partitions = await fetchTopicOffsets(kafka, topic);
  return partitions.every(({ low }) => low === "0");
}

interface AccountOptions {
  readonly account: string;
}

interface ExportOptions {
  readonly account?: string;
  readonly all?: true;
  readonly format?: ExportFormat;
  readonly since?: string;
  readonly out?: string;
}

const NAME = "events";
const log = createLogger(NAME, "error");

function accountOf({ account }: AccountOptions): string {
  const id = uuidIn(account);
  if (id !== null) return id;
  throw new AppError("invalid_config", "--account is not a valid account id.");
}

/** An empty export of a mistyped account would look as if nothing had happened. */
async function requireAccount(db: Queryable, id: string): Promise<void> {
  if (!(await isAccount(db, id))) throw new AppError("not_found", `There is no account ${id}.`);
}

async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ url, service: NAME, size: 1, log });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function exportEvents(options: ExportOptions): Promise<void> {
  const { account, all, ...rest } = options;
  if ((account === undefined) === (all === undefined)) {
    throw new AppError("invalid_config", "Give either --account <id> or --all.");
  }
  if (account === undefined) return exportAll(rest);
  if (Object.keys(rest).length > 0) {
    throw new AppError("invalid_config", "--format, --since and --out are for --all.");
  }
  return exportAccount({ account });
}

/** Writes NDJSON to standard output, as fast as it is read. */
async function exportAccount(options: AccountOptions): Promise<void> {
  const accountId = accountOf(options);
  await withPool(await findDatabaseUrl(process.env), async (pool) => {
    await requireAccount(pool, accountId);
    for await (const page of feedPages(pool, accountId)) {
      const text = page.map((event) => `${eventLine(event)}\n`).join("");
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    }
  });
}

async function exportAll({ format = "ndjson", out, since }: ExportOptions): Promise<void> {
  const target = await openTarget(format, out);
  const { events, lastId } = await withPool(await findDatabaseUrl(process.env), (pool) =>
    exportLog(pool, target, since),
  );
  process.stderr.write(`${events} events exported; the last one is ${lastId ?? "none"}\n`);
}

async function verify(options: AccountOptions): Promise<void> {
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
    await requireAccount(db, accountId);
    const sources = await eventSources({ db, kafka, codec, topicPrefix, accountId });
    return verifyExport(createInterface({ input: process.stdin }), sources);
  });
  if ("difference" in verdict) throw new AppError("rule_broken", verdict.difference);
  const { events, newer, repeats } = verdict;
  console.log(
    `${events} events are identical in export, log and topic; ${newer} are newer than the export; ${repeats} duplicates on the topic`,
  );
}

const program = new Command(NAME).description("Exports events, and verifies an account's export");
program
  .command("export")
  .description("an account's events as NDJSON, in the feed's order; or those of all accounts")
  .option("--account <id>", "the account")
  .option("--all", "all accounts, in the order in which their events were stored")
  .addOption(new Option("--format <format>", "of --all").choices(EXPORT_FORMATS))
  .option(
    "--since <time or event id>",
    "only events stored at or after the time, or after that event",
  )
  .option("--out <path>", "a file, or for Parquet a folder; what it holds is continued")
  .action(exportEvents);
program
  .command("verify")
  .description("compares an export (standard input) with the log and the topic by id and bytes")
  .requiredOption("--account <id>")
  .action(verify);

await runCommandLine(program);
