import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { ANSWERS, startFakeClamd, type FakeClamd } from "../../support/documents/clamd.ts";
import { buildPdf } from "../../support/documents/document-factory.ts";
import { uploadToOrder } from "../../support/documents/upload-to-order.ts";
import { eventually } from "../../support/eventually.ts";
import { openReviewDesk, type OwnReviewDesk } from "../../support/orders/review-desk.ts";

const TIMEOUT_MS = 300;

const fields = z.array(
  z.looseObject({ slug: z.string(), checks: z.array(z.record(z.string(), z.unknown())) }),
);

let desk: OwnReviewDesk;
let clamd: FakeClamd;

beforeAll(async () => {
  clamd = await startFakeClamd(ANSWERS.clean);
  desk = await openReviewDesk({ CLAMD_URL: clamd.url, CLAMD_TIMEOUT: `${TIMEOUT_MS}ms` });
});

/** An order with an invoice that was really uploaded, and checked. */
async function orderWithInvoice(): Promise<string> {
  const orderId = await desk.newReadyOrder();
  await uploadToOrder(desk.product, { orderId, content: await buildPdf() });
  return orderId;
}

async function readiness(orderId: string): Promise<unknown> {
  const { body } = await desk.api("GET", `/v2/porting_orders/${orderId}/readiness`);
  return body?.["blocking"];
}

async function isReady(orderId: string): Promise<void> {
  await eventually(async () => expect(await readiness(orderId)).toEqual([]));
}

/** What the case says of the invoice's scan. */
async function scanOf(orderId: string): Promise<unknown> {
  const { body } = await desk.desk("GET", `/reviews/${orderId}`);
  const invoice = fields.parse(body?.["requirements"]).find(({ slug }) => slug === "invoice");
  return invoice?.checks.find((one) => one["check"] === "scan");
}

async function approve(orderId: string): Promise<unknown[]> {
  const decisions = [{ slug: "invoice", decision: "approve" }];
  const answer = await desk.desk("POST", `/reviews/${orderId}/decision`, { decisions });
  const faults = z.array(z.looseObject({ code: z.string() })).parse(answer.body?.["errors"] ?? []);
  return [answer.status, ...faults.map(({ code }) => code)];
}

describe("a document that is scanned for viruses", () => {
  it("passes where the scanner finds nothing, and can be approved", async () => {
    clamd.answer = ANSWERS.clean;
    const orderId = await orderWithInvoice();
    await isReady(orderId);
    await desk.submit(orderId);
    expect(await scanOf(orderId)).toEqual({
      check: "scan",
      state: "passed",
      code: null,
      detail: null,
    });
    expect(await approve(orderId)).toEqual([202]);
  });

  it("fails with a neutral reason where the scanner finds something", async () => {
    clamd.answer = ANSWERS.infected;
    const orderId = await orderWithInvoice();
    await eventually(async () =>
      expect(await readiness(orderId)).toEqual([
        { slug: "invoice", code: "check_failed", detail: expect.stringContaining("harmful") },
      ]),
    );
    expect(JSON.stringify(await readiness(orderId))).not.toContain("Some.Virus");
  });

  it.each(["silence", "garbage", "hangUp"] as const)(
    "is submitted but not approved while the scanner answers with %s, over a restart",
    async (name) => {
      clamd.answer = ANSWERS[name];
      const orderId = await orderWithInvoice();
      await isReady(orderId);
      await desk.submit(orderId);
      expect(await scanOf(orderId)).toMatchObject({
        state: "checking",
        code: "document_not_scanned",
      });
      expect(await approve(orderId)).toEqual([422, "document_not_scanned"]);
      desk.product.supervisor.service("requirement-review").program.kill("SIGKILL");
      clamd.answer = ANSWERS.clean;
      await eventually(async () => expect(await approve(orderId)).toEqual([202]));
      expect(await scanOf(orderId)).toMatchObject({ state: "passed" });
    },
  );

  it("fails late, where the scanner was away before", async () => {
    clamd.answer = ANSWERS.hangUp;
    const orderId = await orderWithInvoice();
    await isReady(orderId);
    await desk.submit(orderId);
    clamd.answer = ANSWERS.infected;
    await eventually(async () =>
      expect(await scanOf(orderId)).toEqual({
        check: "scan",
        state: "failed",
        code: "document_infected",
        detail: "The virus scanner found Some.Virus. Reject the field.",
      }),
    );
    expect(await approve(orderId)).toEqual([422, "document_infected"]);
  });
});
