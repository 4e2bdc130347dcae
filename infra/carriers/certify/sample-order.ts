import { randomInt } from "node:crypto";
import { z } from "zod";
import PdfDocument from "pdfkit";
import { CertifyFailure, notDone, waitFor } from "./shortfalls.ts";
import type { HttpAccess } from "./find-product.ts";

const SIGNER_FIELD = "auth_person_name";
const CREATE_TRIES = 10;
const UNDER_REVIEW = "requirement-info-under-review";

const requirement = z.object({
  slug: z.string(),
  field_type: z.string(),
  mandatory: z.boolean(),
  status: z.string(),
  example: z.string().nullish(),
});

type Requirement = z.output<typeof requirement>;

const list = z.object({ data: z.array(z.object({ id: z.string() })) });
const order = z.object({ status: z.string(), requirements: z.array(requirement) });
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

/** The letter is signed last, because it states the other values. */
async function fulfil({ http, timeoutMs }: OrderMaker, id: string): Promise<void> {
  const { requirements } = order.parse(await http.api(`/porting_orders/${id}`));
  const open = requirements.filter((one) => one.mandatory && one.status !== "approved");
  for (const one of open.filter(({ slug }) => slug !== "loa")) await fulfilOne(http, id, one);
  if (open.some(({ slug }) => slug === "loa")) {
    const signer = requirements.find(({ slug }) => slug === SIGNER_FIELD)?.example;
    const body = { signer_name: signer ?? "Ada Lovelace", consent: true };
    await http.api(`/porting_orders/${id}/loa/sign`, { method: "POST", body });
  }
  const readiness = (): Promise<unknown> => http.api(`/porting_orders/${id}/readiness`);
  const isReady = z.object({ ready: z.literal(true) });
  await waitFor(async () => (isReady.safeParse(await readiness()).success ? true : undefined), {
    timeoutMs,
    what: () => notDone(`order ${id} to become ready to be submitted`, "it did not"),
  });
}

async function fulfilOne(
  { api }: HttpAccess,
  id: string,
  { slug, field_type, example }: Requirement,
): Promise<void> {
  const path = `/porting_orders/${id}/requirements/${slug}`;
  if (field_type !== "document") {
    await api(path, { method: "PATCH", body: { field_value: example } });
    return;
  }
  const form = new FormData();
  form.set("document_date", new Date().toISOString());
  form.set("file", await sampleDocument(slug), `${slug}.pdf`);
  await api(path, { method: "PATCH", form });
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

/** A PDF of one page that says that it is only a sample. */
async function sampleDocument(title: string): Promise<Blob> {
  const pdf = new PdfDocument();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const whole = new Promise<void>((resolve, reject) => {
    pdf.on("end", resolve).on("error", reject);
  });
  pdf.on("data", (part: Buffer) => parts.push(new Uint8Array(part)));
  pdf.fontSize(18).text(`${title}: a sample for the certification of a carrier integration`);
  pdf.end();
  await whole;
  return new Blob(parts, { type: "application/pdf" });
}
