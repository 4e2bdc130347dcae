/** @tier nightly */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import type pg from "pg";
import { readSettledTime } from "../../../services/event-log/store/log-export.ts";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { storeEvents } from "../../../services/domain/event/store/store-events.ts";
import {
  inTransaction,
  queryRows,
  type Queryable,
} from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { eventually } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { buildEvent } from "../../support/orders/event-factory.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const PROGRAM = join(import.meta.dirname, "../../../services/event-log/commands/events.ts");
const ACCOUNTS = [1, 2, 3].map(() => newId(new Date()));
const BATCH = 500;
const BATCHES = 5;

let database: TestDatabase;
let pool: pg.Pool;
let offset = 0;

/** Stores events of all accounts in turn. */
async function store(count: number, db: Queryable = pool): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => {
    const at = new Date();
    return toStorable(
      buildEvent("porting_order.created", {
        id: newId(at),
        created_at: at,
        account_id: ACCOUNTS[n % ACCOUNTS.length] ?? "",
        context: {
          provider: "sandbox",
          losing_carrier: 'Acme, "the" carrier',
          actor: "carrier",
          occurred_at: new Date("2026-11-01T08:00:00.000Z"),
          rejection: { code: "other", slug: null, text: "no" },
        },
      }),
    );
  });
  offset += count;
  const position = { topic: "t", partition: 0, nextOffset: offset };
  await storeEvents(db, events, { consumer: "event-log", positions: [position] });
}

/** Until all that is stored may be exported. */
async function settle(): Promise<void> {
  await eventually(async () => {
    const { rows } = await pool.query<{ settled: boolean }>(
      "select coalesce(max(stored_at) < $1, true) as settled from events.log",
      [await readSettledTime(pool)],
    );
    expect(rows[0]?.settled).toBe(true);
  });
}

interface Stored {
  readonly id: string;
  readonly account_id: string;
  readonly seq: number;
  readonly body: string;
}

async function stored(): Promise<Stored[]> {
  const { rows } =
    await pool.query<Stored>(`select id, account_id, seq, convert_from(body, 'UTF8') as body
    from events.log order by stored_at, account_id, seq`);
  return rows;
}

function start(args: readonly string[]) {
  return spawn(process.execPath, [PROGRAM, "export", ...args], {
    env: { ...process.env, DATABASE_URL: database.url },
  });
}

async function run(...args: readonly string[]) {
  const child = start(args);
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: child.exitCode, output, errors };
}

const idsIn = (lines: string): string[] =>
  lines
    .split("\n")
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { event: { id: string } }).event.id);

let folder: string;

beforeAll(async () => {
  folder = temporaryFolder("export");
  database = await createTestDatabase();
  pool = openPoolAt(database.url);
  for (let n = 0; n < BATCHES; n += 1) await store(BATCH);
  await settle();
});

describe("npm run events -- export --all", () => {
  it("writes every account's events as NDJSON, with the envelope and the bytes of webhooks", async () => {
    const { code, output } = await run("--all");
    expect(code).toBe(0);
    const events = await stored();
    expect(idsIn(output)).toEqual(events.map(({ id }) => id));
    const [first] = events;
    const [line = ""] = output.split("\n");
    expect(line.endsWith(`,"event":${first?.body ?? ""}}`)).toBe(true);
    expect(JSON.parse(line)).toMatchObject({
      account_id: first?.account_id,
      seq: first?.seq,
      order_sequence: 1,
      provider: "sandbox",
      actor: "carrier",
      occurred_at: "2026-11-01T08:00:00.000Z",
      rejection: { code: "other", text: "no" },
    });
  });

  it.each(["ndjson", "csv"])("continues a file of %s that a kill cut off", async (format) => {
    const [cut, whole] = ["cut", "whole"].map((name) => join(folder, `${name}.${format}`));
    const args = (out = "") => ["--all", "--format", format, "--out", out];
    const killed = start(args(cut));
    const closed = once(killed, "close");
    await eventually(() => {
      expect(statSync(cut ?? "").size).toBeGreaterThan(0);
    });
    killed.kill("SIGKILL");
    await closed;
    const { size } = statSync(cut ?? "");
    truncateSync(cut ?? "", size - 7);
    expect(await run(...args(cut))).toMatchObject({ code: 0 });
    expect(await run(...args(whole))).toMatchObject({ code: 0 });
    expect(readFileSync(cut ?? "").equals(readFileSync(whole ?? ""))).toBe(true);
    const again = await run(...args(cut));
    expect(again.errors).toMatch(/^0 events exported; the last one is [0-9a-f-]{36}\n$/);
  });

  it("quotes the cells of CSV as RFC 4180 has it", async () => {
    const { output } = await run("--all", "--format", "csv");
    const [header = "", line = ""] = output.split("\n");
    expect(header.startsWith("id,type,account_id,seq,")).toBe(true);
    expect(line).toContain(
      ',sandbox,"Acme, ""the"" carrier",,,other,,no,2026-11-01T08:00:00.000Z,',
    );
    expect(output.split("\n")).toHaveLength(BATCH * BATCHES + 2);
  });

  it("writes Parquet in parts, and a part of what is new", async () => {
    const parts = join(folder, "parts");
    writeFileSync(join(folder, "events.tmp"), "");
    const args = ["--all", "--format", "parquet", "--out", parts];
    expect(await run(...args)).toMatchObject({ code: 0 });
    expect(await run(...args)).toMatchObject({ code: 0 });
    const names = readdirSync(parts);
    const events = await stored();
    expect(names).toEqual([`events-000001-${events.at(-1)?.id ?? ""}.parquet`]);
    const file = await asyncBufferFromFile(join(parts, names[0] ?? ""));
    const rows = await parquetReadObjects({ file });
    expect(rows.map(({ id }) => id as unknown)).toEqual(events.map(({ id }) => id));
    expect(rows[0]).toMatchObject({
      type: "porting_order.created",
      seq: BigInt(events[0]?.seq ?? 0),
      order_sequence: 1n,
      losing_carrier: 'Acme, "the" carrier',
      rejection_slug: null,
      occurred_at: new Date("2026-11-01T08:00:00.000Z"),
      payload: JSON.stringify((JSON.parse(events[0]?.body ?? "") as { payload: unknown }).payload),
    });
    await store(3);
    await settle();
    expect(await run(...args)).toMatchObject({
      code: 0,
      errors: expect.stringMatching(/^3 events/),
    });
    expect(readdirSync(parts)).toHaveLength(2);
  });

  it("gives the time at which an event was stored in the same milliseconds in every format", async () => {
    const parts = join(folder, "times");
    const args = ["--all", "--format", "parquet", "--out", parts];
    expect(await run(...args)).toMatchObject({ code: 0 });
    const [name = ""] = readdirSync(parts);
    const [row] = await parquetReadObjects({ file: await asyncBufferFromFile(join(parts, name)) });
    const at = row?.["stored_at"] as Date;
    const [, line = ""] = (await run("--all", "--format", "csv")).output.split("\n");
    expect(line).toContain(`,${at.toISOString()},`);
    const [json = ""] = (await run("--all")).output.split("\n");
    expect(JSON.parse(json)).toMatchObject({ stored_at: at.toISOString() });
    const { rows } = await pool.query<{ stored_at: Date }>(
      "select date_trunc('milliseconds', min(stored_at)) as stored_at from events.log",
    );
    expect(rows[0]?.stored_at).toEqual(at);
  });

  it("begins at a time, or after an event", async () => {
    const events = await stored();
    const from = events[events.length - 10];
    const after = await run("--all", "--since", from?.id.toUpperCase() ?? "");
    expect(idsIn(after.output)).toEqual(events.slice(-9).map(({ id }) => id));
    const { rows } = await pool.query<{ at: string }>(
      "select max(stored_at)::text as at from events.log",
    );
    const since = new Date(Math.floor(Date.parse(rows[0]?.at ?? "") / 1_000) * 1_000).toISOString();
    const recent = idsIn((await run("--all", "--since", since)).output);
    expect(recent.at(-1)).toBe(events.at(-1)?.id);
    expect(recent.length).toBeLessThan(events.length);
    expect((await run("--all", "--since", "2099-01-01")).output).toBe("");
  });

  it("leaves nothing out that is stored while it runs: it ends where the oldest transaction began", async () => {
    const earlier = await stored();
    const last = earlier.at(-1)?.id ?? "";
    await inTransaction(pool, async (tx) => {
      // A busy machine takes longer than a service may leave a transaction idle.
      await queryRows(tx, { text: "set local idle_in_transaction_session_timeout = 0" });
      await store(2, tx);
      // Of another account: the open transaction has locked the counters of its own.
      const at = new Date();
      const event = buildEvent("call.missed", {
        id: newId(at),
        created_at: at,
        account_id: newId(at),
      });
      const position = { topic: "t", partition: 1, nextOffset: 1 };
      await storeEvents(pool, [toStorable(event)], {
        consumer: "event-log",
        positions: [position],
      });
      // The one that is committed would be exported by now.
      await eventually(async () => {
        const { rows } = await pool.query(
          "select from events.log where stored_at < clock_timestamp() - interval '3 seconds' and id = $1",
          [event.id],
        );
        expect(rows).toHaveLength(1);
      });
      expect((await run("--all", "--since", last)).output).toBe("");
    });
    await settle();
    const { output } = await run("--all", "--since", last);
    expect(idsIn(output)).toEqual((await stored()).slice(earlier.length).map(({ id }) => id));
    expect(idsIn(output)).toHaveLength(3);
  });

  it.each<[readonly string[], RegExp]>([
    [["--all", "--since", "yesterday"], /^--since is neither a time nor an event id/],
    [
      ["--all", "--since", "0198c0de-0000-7000-8000-000000000001"],
      /^The log has no event 0198c0de/,
    ],
    [["--all", "--format", "parquet"], /^Parquet is written to a folder: give --out <folder>\.$/m],
    [["--all", "--account", ACCOUNTS[0] ?? ""], /^Give either --account <id> or --all\.$/m],
    [[], /^Give either --account <id> or --all\.$/m],
    [
      ["--account", ACCOUNTS[0] ?? "", "--format", "csv"],
      /^--format, --since and --out are for --all/,
    ],
    [["--all", "--format", "xml"], /Allowed choices are ndjson, csv, parquet/],
  ])("refuses %j in a sentence", async (args, errors) => {
    expect(await run(...args)).toMatchObject({
      code: 1,
      output: "",
      errors: expect.stringMatching(errors),
    });
  });

  it("refuses a file that is something else, and leaves it as it is", async () => {
    const notes = join(folder, "notes.txt");
    writeFileSync(notes, "my notes");
    const refused = await run("--all", "--out", notes);
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining("is not an export") });
    expect(readFileSync(notes, "utf8")).toBe("my notes");
  });
});

describe("npm run events -- export --account", () => {
  it("fails for an account that does not exist", async () => {
    const unknown = "0198c0de-0000-7000-8000-000000000009";
    expect(await run("--account", unknown)).toEqual({
      code: 1,
      output: "",
      errors: `There is no account ${unknown}.\n`,
    });
  });
});
