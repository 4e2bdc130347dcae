import { z } from "zod";
import type { Answer } from "../../support/http/call.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { ask, askUntilAnswered, GIVE_UP_MS } from "./ask.ts";
import type { DriverRecord } from "./driver-record.ts";

export interface FulfilOptions {
  readonly apiUrl: string;
  readonly key: string;
  readonly record: DriverRecord;
}

const requirements = z.array(
  z.object({
    slug: z.string(),
    field_type: z.string(),
    mandatory: z.boolean(),
    status: z.string(),
    example: z.string(),
  }),
);

export type Requirement = z.infer<typeof requirements>[number];

const POLL_MS = 100;
/** The authorized person of the catalogue's example. */
const SIGNATURE = { signer_name: "Grace Hopper", consent: true };

export function requirementsOf(order: Readonly<Record<string, unknown>>): Requirement[] {
  return requirements.parse(order["requirements"]);
}

/** Fulfils fields, the signature last, and waits until the order is ready; false where it can never be. */
export async function fulfil(
  options: FulfilOptions,
  orderId: string,
  fields: readonly Requirement[],
): Promise<boolean> {
  const last = fields.filter(({ slug }) => slug === "loa");
  for (const field of [...fields.filter(({ slug }) => slug !== "loa"), ...last]) {
    if (!(await fulfilOne(options, orderId, field))) return false;
  }
  const url = `${options.apiUrl}/v2/porting_orders/${orderId}/readiness`;
  const since = performance.now();
  for (;;) {
    const answer = await ask(url, { key: options.key });
    if (answer?.body?.["ready"] === true) {
      options.record.waited(`order ${orderId} to be ready`, since);
      return true;
    }
    if (answer?.status === 404) return false;
    if (performance.now() - since > GIVE_UP_MS) {
      const blocking = JSON.stringify(answer?.body?.["blocking"] ?? null);
      throw new Error(`order ${orderId} was never ready: ${blocking}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** False where the order's status no longer allows it, because it was cancelled meanwhile. */
async function fulfilOne(
  { apiUrl, key, record }: FulfilOptions,
  orderId: string,
  { slug, field_type, example }: Requirement,
): Promise<boolean> {
  const order = `${apiUrl}/v2/porting_orders/${orderId}`;
  const field = `${order}/requirements/${slug}`;
  if (slug === "loa") {
    const sign = { method: "POST", key, body: SIGNATURE };
    const { answer, doubted } = await askUntilAnswered(`${order}/loa/sign`, sign);
    if (doubted) record.doubts += 1;
    if (!isAccepted(answer, 201)) return false;
    const documentId = z.string().parse(answer.body?.["document_id"]);
    record.acknowledged.push({ kind: "signed", orderId, documentId });
    return true;
  }
  if (field_type === "document") return isAccepted(await upload(field, key), 200);
  const write = { method: "PATCH", key, body: { field_value: example } };
  return isAccepted((await askUntilAnswered(field, write)).answer, 200);
}

function isAccepted(answer: Answer, status: number): boolean {
  if (answer.status === status) return true;
  if (answer.status === 409 || answer.status === 404) return false;
  throw new Error(`a field returned ${answer.status}`);
}

async function upload(url: string, key: string): Promise<Answer> {
  const file = new Blob([new Uint8Array(testPdf())], { type: "application/pdf" });
  const form = (): FormData => {
    const made = new FormData();
    made.set("document_date", new Date().toISOString());
    made.set("file", file, "document.pdf");
    return made;
  };
  return (await askUntilAnswered(url, { method: "PATCH", key, form })).answer;
}
