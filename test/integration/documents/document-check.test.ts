/** @tier all */
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { projectRoot } from "../../../infra/project-root.ts";
import { writeRequirement } from "../../../services/api/requirements/write-requirement.ts";
import type { Bus } from "../../../services/messages/bus/bus.ts";
import { createFileStore } from "../../../services/platform/files/file-store.ts";
import { documentValue } from "../../../services/domain/requirement/store/requirement-values.ts";
import {
  createWarmWorker,
  type WarmWorker,
} from "../../../services/requirement-review/document-check/warm-worker.ts";
import { BAD_DOCUMENTS } from "../../support/documents/bad-documents.ts";
import {
  buildInflatingPdf,
  buildManyObjectsPdf,
  buildPdf,
  buildPng,
  buildSlowPdf,
} from "../../support/documents/document-factory.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http/call.ts";
import { openReviewDesk, type OwnReviewDesk } from "../../support/orders/review-desk.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { openTestBus } from "../../support/stack/test-bus.ts";

const GIVE_UP_MS = 4_000;
const MIB = 1024 * 1024;
/** Of the service's own process: what a document needs is the worker's. */
const MOST_GROWTH_MIB = 60;
const WORKER = "services/requirement-review/document-check/check-worker.ts";
const HOST = "services/platform/jobs/job-host.ts";

let desk: OwnReviewDesk;
let bus: Bus;

beforeAll(async () => {
  desk = await openReviewDesk({ DOCUMENT_CHECK_GIVE_UP: `${GIVE_UP_MS}ms` });
  bus = await openTestBus(desk.product);
});

/** Sets a document as the order's invoice, as an upload does; returns the document's id. */
async function upload(orderId: string, content: Buffer | null): Promise<string> {
  const documentId = randomUUID();
  if (content !== null) await store(documentId, content);
  const { rows } = await desk.database.query<{ account_id: string }>(
    "select account_id from orders.porting_orders where id = $1",
    [orderId],
  );
  const accountId = rows[0]?.account_id ?? "";
  const now = bus.clock.now();
  await writeRequirement(
    { ...bus, db: bus.pool },
    { accountId, orderId },
    {
      slug: "invoice",
      content: { kind: "document", document_id: documentId, document_date: now, check: "checking" },
      stored: [{ key: "invoice", stored: documentValue(documentId, now) }],
      actor: { type: "customer", id: null, name: null },
      now,
    },
  );
  return documentId;
}

function store(documentId: string, content: Buffer): Promise<void> {
  return createFileStore(desk.documentsDir).write(documentId, content);
}

/** The check's result on the order, once it has ended. */
async function checkOf(orderId: string): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const { rows } = await desk.database.query<Record<string, unknown>>(
      `select check_state, check_code, check_detail from orders.requirements
        where order_id = $1 and slug = 'invoice'`,
      [orderId],
    );
    const [check = {}] = rows;
    if (check["check_state"] === "checking") throw new Error("still checking");
    return check;
  });
}

async function waitingChecks(): Promise<unknown[]> {
  const text = "select tries from reviews.document_checks";
  return (await desk.database.query<{ tries: number }>(text)).rows;
}

/** When the statement began that waits for a row that this test has locked. */
async function waitForOrder(): Promise<string> {
  return eventually(async () => {
    const text = `select query_start::text from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' order by query_start limit 1`;
    const { rows } = await desk.database.query<{ query_start: string }>(text);
    const [waiting] = rows;
    if (waiting === undefined) throw new Error("nobody waits");
    return waiting.query_start;
  });
}

const serviceUrl = (): string => desk.product.supervisor.service("requirement-review").url();

async function memoryMib(): Promise<number> {
  const metrics = await (await fetch(`${serviceUrl()}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes\S* (\S+)$/m.exec(metrics)?.[1];
  return z.coerce.number().parse(bytes) / MIB;
}

describe("a document of an order", () => {
  it("is checked after its upload, and shown in the timeline", async () => {
    const orderId = await desk.newOrder();
    const documentId = await upload(orderId, await buildPdf({ pages: 2 }));
    expect(await checkOf(orderId)).toEqual({
      check_state: "passed",
      check_code: null,
      check_detail: null,
    });
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}/timeline`);
    const [entry] = z.array(z.record(z.string(), z.unknown())).parse(body?.["data"]);
    const data = { slug: "invoice", document_id: documentId, check: "passed" };
    expect(entry).toMatchObject({ kind: "document", data });
    expect(await waitingChecks()).toEqual([]);
  });

  it("blocks the submission with its reason when its check failed", async () => {
    const orderId = await desk.newReadyOrder();
    await upload(orderId, await buildPdf({ password: "secret" }));
    expect(await checkOf(orderId)).toMatchObject({
      check_state: "failed",
      check_code: "document_encrypted",
    });
    const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}/readiness`);
    expect(body?.["blocking"]).toEqual([
      {
        slug: "invoice",
        code: "check_failed",
        detail: expect.stringContaining("without a password"),
      },
    ]);
  });

  it("takes a check result only while it is current: a late one has no effect", async () => {
    const orderId = await desk.newOrder();
    await upload(orderId, Buffer.from("%PDF-1.7 broken"));
    await upload(orderId, buildPng());
    expect(await checkOf(orderId)).toMatchObject({ check_state: "passed" });
    await eventually(async () => expect(await waitingChecks()).toEqual([]));
    expect(await checkOf(orderId)).toMatchObject({ check_state: "passed" });
  });

  it("waits for a missing file without blocking other documents", async () => {
    const [lost, late, good] = [
      await desk.newOrder(),
      await desk.newOrder(),
      await desk.newOrder(),
    ];
    await upload(lost, null);
    const lateId = await upload(late, null);
    await upload(good, buildPng());
    expect(await checkOf(good)).toMatchObject({ check_state: "passed" });
    await store(lateId, await buildPdf());
    expect(await checkOf(late)).toMatchObject({ check_state: "passed" });
    expect(await checkOf(lost)).toMatchObject({
      check_state: "failed",
      check_code: "document_unreadable",
      check_detail: expect.stringContaining("could not be read"),
    });
  });

  it("has its result soon after it could not be written, without waiting for the end of the lease", async () => {
    const orderId = await desk.newOrder();
    const documentId = await upload(orderId, null);
    await eventually(async () => expect(await waitingChecks()).toHaveLength(1));
    const locker = await connectClient(desk.product.databaseUrl);
    await locker.query("begin");
    try {
      await locker.query("select from orders.porting_orders where id = $1 for update", [orderId]);
      await store(documentId, await buildPdf());
      const first = await waitForOrder();
      // The first has given up.
      await eventually(async () => expect(await waitForOrder()).not.toBe(first));
    } finally {
      await locker.query("rollback");
    }
    expect(await checkOf(orderId)).toMatchObject({ check_state: "passed" });
  });

  it("that is bad takes no memory of the service, which answers as before", async () => {
    const checkAll = async (): Promise<void> => {
      for (const { build } of BAD_DOCUMENTS) {
        const orderId = await desk.newOrder();
        await upload(orderId, await build());
        expect(await checkOf(orderId)).toMatchObject({ check_state: "failed" });
      }
    };
    await checkAll();
    const before = await memoryMib();
    await checkAll();
    expect((await memoryMib()) - before).toBeLessThan(MOST_GROWTH_MIB);
    const orderId = await desk.newOrder();
    await upload(orderId, await buildPdf({ pages: 2 }));
    expect(await checkOf(orderId)).toMatchObject({ check_state: "passed", check_code: null });
    expect((await call(`${serviceUrl()}/readyz`)).status).toBe(200);
  });

  it("is checked by another process when the first was killed during the check", async () => {
    const orderId = await desk.newOrder();
    const documentId = await upload(orderId, buildSlowPdf());
    await eventually(async () => expect(await waitingChecks()).toMatchObject([{ tries: 1 }]));
    desk.product.supervisor.service("requirement-review").program.kill("SIGKILL");
    await store(documentId, await buildPdf());
    // Simulates the end of the killed process's lease.
    await desk.database.query("update reviews.document_checks set due_at = now()");
    expect(await checkOf(orderId)).toMatchObject({ check_state: "passed" });
  });
});

describe("the worker that opens documents", () => {
  const url = pathToFileURL(join(projectRoot, WORKER));
  const host = pathToFileURL(join(projectRoot, HOST));
  const workers: WarmWorker[] = [];
  const path = (): string => join(desk.documentsDir, randomUUID());

  afterEach(() => {
    for (const worker of workers.splice(0)) worker.stop();
  });

  function startWorker(options: Partial<Parameters<typeof createWarmWorker>[0]> = {}): WarmWorker {
    const limits = { deadlineMs: 10_000, memoryMb: 512, recycleAboveMb: 192 };
    const worker = createWarmWorker({ url, host, ...limits, ...options });
    workers.push(worker);
    return worker;
  }

  async function check(worker: WarmWorker, content: Buffer) {
    const file = path();
    writeFileSync(file, content);
    const answer = await worker.check(file);
    rmSync(file);
    return answer;
  }

  const failed = (detail: string) => ({
    kind: "checked",
    result: {
      passed: false,
      code: "document_too_complex",
      detail: expect.stringContaining(detail),
    },
  });
  const passed = { kind: "checked", result: { passed: true } };

  it("is ended after its deadline and continues with the next file", async () => {
    const worker = startWorker({ deadlineMs: 500 });
    expect(await check(worker, buildSlowPdf())).toEqual(failed("too long"));
    expect(await check(worker, await buildPdf())).toEqual(passed);
  });

  it("limits the memory for a file, on the heap and off it", async () => {
    // Within the budget of what is inflated, which goes before this limit.
    const worker = startWorker({ memoryMb: 25, deadlineMs: 60_000 });
    const before = process.memoryUsage.rss();
    expect(await check(worker, buildInflatingPdf(60))).toEqual(failed("too much memory"));
    expect((process.memoryUsage.rss() - before) / 1024 / 1024).toBeLessThan(700);
    const generous = startWorker({ memoryMb: 2_000, deadlineMs: 60_000 });
    expect(await check(generous, buildManyObjectsPdf(1_000_000))).toEqual(
      failed("too much memory"),
    );
    expect(await check(generous, await buildPdf())).toEqual(passed);
  }, 180_000);

  it("is replaced once it has kept much memory of its files", async () => {
    const worker = startWorker({ recycleAboveMb: 0 });
    for (let n = 0; n < 5; n += 1) expect(await check(worker, buildPng())).toEqual(passed);
  });

  it("gives no result for a file that it cannot read", async () => {
    expect(await startWorker().check(path())).toMatchObject({ kind: "unavailable" });
  });
});
