import { randomInt } from "node:crypto";
import { z } from "zod";
import PdfDocument from "pdfkit";
import { PortingError } from "../../../packages/client/errors.ts";
import type { Filling } from "../../../packages/client/fill-order.ts";
import type { HttpAccess } from "./find-product.ts";
import { CertifyFailure, notDone, waitFor } from "./shortfalls.ts";

const CREATE_TRIES = 10;
const UNDER_REVIEW = "requirement-info-under-review";

const list = z.object({ data: z.array(z.object({ id: z.string() })) });
const order = z.object({ status: z.string() });
const reviewCase = z.object({
  state: z.string(),
  requirements: z.array(z.object({ slug: z.string(), status: z.string() })).default([]),
});

export interface OrderMaker {
  readonly http: HttpAccess;
  readonly losingCarrier: string;
  /** New numbers are this and six more digits. */
  readonly numberPrefix: string;
  readonly timeoutMs: number;
}

export interface SampleOrder {
  readonly id: string;
  readonly phoneNumber: string;
}

/** An order of one new number for the carrier, submitted by the customer and confirmed at the desk. */
export async function sendOrder(maker: OrderMaker): Promise<SampleOrder> {
  const made = await createOrder(maker);
  await fulfil(maker, made.id);
  await submitAndConfirm(maker, made.id);
  return made;
}

export async function statusOf({ api }: HttpAccess, id: string): Promise<string> {
  return order.parse(await api(`/porting_orders/${id}`)).status;
}

/** A random number may be taken or not exist: then another is tried. */
async function createOrder(maker: OrderMaker): Promise<SampleOrder> {
  const { http, losingCarrier, numberPrefix } = maker;
  for (let tries = 1; ; tries += 1) {
    const phoneNumber = `${numberPrefix}${String(randomInt(1_000_000)).padStart(6, "0")}`;
    const body = { phone_numbers: [phoneNumber], losing_carrier: losingCarrier };
    try {
      const [made] = list.parse(await http.api("/porting_orders", { method: "POST", body })).data;
      if (made !== undefined) return { id: made.id, phoneNumber };
      throw new CertifyFailure(notDone("the API to create an order", "it created none"));
    } catch (error) {
      if (!(error instanceof CertifyFailure) || tries === CREATE_TRIES) throw error;
    }
  }
}

async function fulfil({ http, timeoutMs }: OrderMaker, id: string): Promise<void> {
  const shortfall = (came: string): CertifyFailure =>
    new CertifyFailure(notDone(`order ${id} to become ready to be submitted`, came));
  const filling: Filling = {
    valueFor: ({ example }) => example,
    documentFor: sampleDocument,
    signer: { signer_name: "Ada Lovelace" },
    checksMs: timeoutMs,
  };
  const { readiness } = await http.customer.fillOrder(id, filling).catch((error: unknown) => {
    throw error instanceof PortingError ? shortfall(error.message) : error;
  });
  const blocking = readiness.blocking.map(({ slug, detail }) => `${slug}: ${detail}`);
  if (!readiness.ready) throw shortfall(`it is blocked by ${blocking.join("; ")}`);
}

/** Sends the order to the carrier: the customer submits it, and the desk approves everything. */
export async function submitAndConfirm(maker: OrderMaker, id: string): Promise<void> {
  const { http, timeoutMs } = maker;
  await http.api(`/porting_orders/${id}/submit`, { method: "POST", body: {} });
  const open = await waitFor(
    async () => {
      const found = reviewCase.safeParse(await readCase(http, id));
      return found.success && found.data.state === "open" ? found.data : undefined;
    },
    {
      timeoutMs,
      what: () => notDone(`an open case for order ${id} at the desk`, "there is none"),
    },
  );
  const decisions = open.requirements
    .filter(({ status }) => status === UNDER_REVIEW)
    .map(({ slug }) => ({ slug, decision: "approve" }));
  const body = { decisions, confirm: true };
  await http.desk(`/reviews/${id}/decision`, { method: "POST", body });
}

/** The desk learns of a submission by a topic, so that there may be no case yet. */
async function readCase({ desk }: HttpAccess, id: string): Promise<unknown> {
  try {
    return await desk(`/reviews/${id}`);
  } catch (error) {
    if (error instanceof CertifyFailure) return null;
    throw error;
  }
}

/** A PDF of one page that says that it is only a sample; null for the letter, which is signed. */
async function sampleDocument({ slug }: { readonly slug: string }): Promise<File | null> {
  if (slug === "loa") return null;
  const pdf = new PdfDocument();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const whole = new Promise<void>((resolve, reject) => {
    pdf.on("end", resolve).on("error", reject);
  });
  pdf.on("data", (part: Buffer) => parts.push(new Uint8Array(part)));
  pdf.fontSize(18).text(`${slug}: a sample for the certification of a carrier integration`);
  pdf.end();
  await whole;
  return new File(parts, `${slug}.pdf`, { type: "application/pdf" });
}
