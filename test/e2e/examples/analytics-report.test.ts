/** @tier nightly @needs chromium */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { readTopic } from "../../../examples/analytics/read-topic.ts";
import { readSettings } from "../../../examples/analytics/settings.ts";
import {
  openFiles,
  readQuestion,
  type Cell,
  type Row,
  type Source,
} from "../../../examples/analytics/sources.ts";
import { runDemo } from "../../../infra/demo/run-demo.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/console/accessibility.ts";
import { eventually } from "../../support/eventually.ts";
import { openBrowser, openPage } from "../../support/http/browser.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { outputOf } from "../../support/programs/program-output.ts";
import { adminAccess, adminVariables } from "../../support/stack/kafka-access.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const SQL_FOLDER = join(projectRoot, "examples", "analytics", "sql");
/** No event reports deliveries. */
const IN_POSTGRES_ALONE = "webhooks";
const QUESTIONS = readdirSync(join(SQL_FOLDER, "questions"))
  .map((name) => name.replace(".sql", ""))
  .filter((name) => name !== IN_POSTGRES_ALONE);
const SINCE = "2026-01-01T00:00:00.000Z";
/** Among these stories are rejections by desk and carrier, a moved date, a port in part, a port-out and a cancellation. */
const DEMO = { orders: 24, concurrency: 6, seed: 21_382 } as const;
const DEMO_MS = 540_000;
const SETTLED_MS = 90_000;
/** The group waits 10 s for a killed reader; the rest is for a slow machine. */
const AFTER_A_KILL_MS = 60_000;
const LEAST_KILLS = 3;

let product: OwnProduct;
let files: string;
let env: NodeJS.ProcessEnv;
let kills = 0;

async function playDemo(): Promise<void> {
  const folder = temporaryFolder("demo");
  const { apiUrl: api_url, deskUrl: desk_url, deskToken: desk_token } = product;
  const place = { api_url, desk_url, desk_token };
  writeFileSync(join(folder, "credentials.json"), JSON.stringify(place));
  const lines: string[] = [];
  const print = (line: string): void => {
    lines.push(line);
  };
  const broken = await runDemo({ ...DEMO, env: { DATA_DIR: folder }, print });
  expect({ broken, lines }).toMatchObject({ broken: 0 });
}

/**
 * Starts a reader and kills it once it has stored something, again and again until the playing has ended. Where that was
 * too quick for enough kills, further readers begin at the first event again.
 */
async function killReaders(isOver: () => boolean): Promise<void> {
  const program = join(projectRoot, "examples", "analytics", "main.ts");
  while (!isOver() || kills < LEAST_KILLS) {
    const readsAgain = isOver();
    if (readsAgain) rmSync(join(files, ".group"), { force: true });
    const reader = spawn(process.execPath, [program, "read"], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = once(reader, "exit");
    endAfterTests(() => reader.kill("SIGKILL"));
    const output = outputOf(reader);
    await eventually(() => {
      expect({ code: reader.exitCode, output: output() }).toMatchObject({ code: null });
      if (readsAgain || !isOver()) expect(output()).toMatch(/events of partition/);
    }, AFTER_A_KILL_MS);
    if (/events of partition/.test(output())) kills += 1;
    reader.kill("SIGKILL");
    await exited;
  }
}

async function readRest(): Promise<void> {
  await readTopic({ settings: readSettings(env), once: true });
}

async function openLake(): Promise<Source> {
  const source = await openFiles(files, SQL_FOLDER);
  endAfterTests(() => source.close());
  return source;
}

/** Rows as both databases give them: in any order, and with doubles that were added up in any order. */
function comparable(rows: readonly Row[]): string[] {
  const plain = (cell: Cell): Cell => (typeof cell === "number" ? Number(cell.toFixed(6)) : cell);
  return rows
    .map((row) => {
      const cells = Object.entries(row).map(([name, cell]) => [name, plain(cell)]);
      return JSON.stringify(Object.fromEntries(cells));
    })
    .toSorted();
}

/** Partition → its number of records on the topic, which begins at offset 0. */
async function recordsOnTopic(): Promise<Row[]> {
  const log = createLogger("test", "silent");
  const kafka = createKafka({ ...adminAccess(product.kafkaBrokers), clientId: "test", log });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ends = await admin.fetchTopicOffsets(`${product.topicPrefix}porting.events`);
    return ends
      .filter(({ high }) => high !== "0")
      .map(({ partition, high }) => ({
        partition,
        rows: Number(high),
        offsets: Number(high),
        first: 0,
        last: Number(high) - 1,
      }))
      .toSorted((a, b) => a.partition - b.partition);
  } finally {
    await admin.disconnect();
  }
}

async function recordsInFiles(): Promise<readonly Row[]> {
  const lake = await openLake();
  return lake.ask(
    `select kafka_partition as partition, count(*)::integer as rows, count(distinct kafka_offset)::integer as offsets,
      min(kafka_offset)::integer as first, max(kafka_offset)::integer as last
    from read_parquet(getvariable('events'), union_by_name = true) group by 1 order by 1`,
    [],
  );
}

beforeAll(async () => {
  product = await startOwnProduct();
  files = temporaryFolder("events");
  env = {
    ...adminVariables(product.kafkaBrokers),
    SCHEMA_REGISTRY_URL: product.registryUrl,
    TOPIC_PREFIX: product.topicPrefix,
    DATA_DIR: files,
    OFFSETS_PER_FILE: "50",
  };
  let isOver = false;
  const playing = playDemo().finally(() => (isOver = true));
  await Promise.all([playing, killReaders(() => isOver)]);
}, DEMO_MS);

describe("the files of examples/analytics, whose reader was killed again and again", () => {
  it("have every record of the topic once", async () => {
    expect(kills).toBeGreaterThanOrEqual(LEAST_KILLS);
    await eventually(async () => {
      await readRest();
      expect(await recordsInFiles()).toEqual(await recordsOnTopic());
    }, SETTLED_MS);
    expect(readdirSync(files).length).toBeGreaterThan(4);
  });

  it.each(QUESTIONS)(
    "answer %s as the views in Postgres do",
    async (question) => {
      const analyst = openPoolAt(product.databaseUrl, { role: "porting_analyst" });
      const sql = await readQuestion(SQL_FOLDER, question);
      const parameters = sql.includes("$2") ? [SINCE, "minute"] : [SINCE];
      await eventually(async () => {
        await readRest();
        const { rows } = await analyst.query<Row>(sql, parameters);
        expect(rows.length).toBeGreaterThan(0);
        const answered = await (await openLake()).ask(sql, parameters);
        expect(comparable(answered)).toEqual(comparable(rows));
      }, SETTLED_MS);
    },
    2 * SETTLED_MS,
  );

  it("stay the same where everything is read again", async () => {
    await readRest();
    const before = { names: readdirSync(files), records: await recordsInFiles() };
    rmSync(join(files, ".group"));
    await readRest();
    expect({ names: readdirSync(files), records: await recordsInFiles() }).toEqual(before);
  });
});

function runAnalytics(flags: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const program = join(projectRoot, "infra", "analytics", "main.ts");
  return spawnSync(process.execPath, [program, "--data", files, ...flags], {
    env: { ...process.env, ...env, DATABASE_URL: product.databaseUrl, ...more },
    encoding: "utf8",
  });
}

describe("npm run analytics", () => {
  const DAYS = /^--days is a number of days above 0, at most 3650\.\n$/;

  it.each<
    [string, RegExp, { readonly flags?: readonly string[]; readonly env?: NodeJS.ProcessEnv }]
  >([
    ["a wrong --days", DAYS, { flags: ["--days", "x"] }],
    ["no days", DAYS, { flags: ["--days", "0"] }],
    [
      "a wrong password",
      /^Kafka at \S+ refuses the login as \S+: .*\n$/,
      { env: { KAFKA_SASL_PASSWORD: "wrong" } },
    ],
    [
      "a wrong address",
      /^Kafka at 127\.0\.0\.1:1 cannot be reached as \S+: .*\n$/,
      { env: { KAFKA_BROKERS: "127.0.0.1:1" } },
    ],
  ])("says so in one line where it is given %s", (_, line, { flags = [], env: more = {} }) => {
    const { status, stdout, stderr } = runAnalytics(flags, more);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(line);
  });

  it("draws a page that needs nothing else, and that everybody can read", async () => {
    const out = join(files, "report.html");
    const { status, stdout, stderr } = runAnalytics(["--out", out]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toMatch(/^\d+ new events in /);
    expect(stdout.split("\n").at(-2)).toBe(out);

    const page = await openPage(await openBrowser());
    const faults: string[] = [];
    page.on("console", (message) => faults.push(message.text()));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(out).href) faults.push(request.url());
    });
    await page.goto(pathToFileURL(out).href);
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Time in each status",
      "Desk throughput",
      "Rejections by code",
      "Port-out decisions",
      "First time right",
      "FOC dates kept",
      "Webhook health",
    ]);
    expect(await page.getByText(/in this period|Not read/).count()).toBe(0);
    const created = page.getByRole("definition").first();
    expect(await created.textContent()).toMatch(new RegExp(`^${DEMO.orders}\\D`));
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    expect(faults).toEqual([]);
  });
});
