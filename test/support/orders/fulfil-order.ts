import { z } from "zod";
import { call, type Answer } from "../http/call.ts";
import { PortingClient } from "../../../packages/client/porting-client.ts";
import { eventually } from "../eventually.ts";
import { testPdf } from "../documents/test-document.ts";
import { WITH_TEST_DOCUMENTS } from "./filling.ts";

/** The API as one customer reaches it. */
export interface CustomerAccess {
  readonly apiUrl: string;
  readonly apiKey: string;
}

/** The desk as one operator reaches it. */
export interface DeskAccess {
  readonly deskUrl: string;
  readonly deskToken: string;
}

const reviewCase = z.object({
  state: z.string(),
  requirements: z.array(z.object({ slug: z.string(), status: z.string() })).default([]),
});

/** @throws an error with the whole answer where its status is another */
function expectStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status === status) return answer;
  throw new Error(`${what} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/**
 * Fulfils every mandatory requirement of a draft (or of a rejected order) that is not approved: a value with its
 * example, a document with a PDF, and the signature last, because the LOA states the other values. Waits until the
 * order is ready.
 */
export async function fulfilOrder(access: CustomerAccess, orderId: string): Promise<void> {
  const client = new PortingClient({ baseUrl: access.apiUrl, apiKey: access.apiKey });
  const { readiness } = await client.fillOrder(orderId, {
    ...WITH_TEST_DOCUMENTS,
    choose: ({ requirements }) =>
      requirements.filter(({ mandatory, status }) => mandatory && status !== "approved"),
  });
  if (!readiness.ready) throw new Error(JSON.stringify(readiness));
}

export interface TestUpload {
  readonly orderId: string;
  readonly slug: string;
  /** A small PDF unless given. */
  readonly content?: Buffer;
  readonly fileName?: string;
  readonly documentDate?: string;
}

/** Uploads a document by PATCH as multipart/form-data. @throws where the answer is not 200 */
export async function uploadDocument(
  { apiUrl, apiKey }: CustomerAccess,
  upload: TestUpload,
): Promise<Record<string, unknown>> {
  const { orderId, slug, content = testPdf(slug), fileName = `${slug}.pdf` } = upload;
  const form = new FormData();
  form.set("document_date", upload.documentDate ?? new Date().toISOString());
  form.set("file", new Blob([new Uint8Array(content)], { type: "application/pdf" }), fileName);
  const response = await fetch(`${apiUrl}/v2/porting_orders/${orderId}/requirements/${slug}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${apiKey}` },
    body: form,
  });
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`the upload of ${slug} returned ${response.status}: ${text}`);
  }
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

/** Submits a ready order, which is then in review. */
export async function submitOrder(access: CustomerAccess, orderId: string): Promise<void> {
  const url = `${access.apiUrl}/v2/porting_orders/${orderId}/submit`;
  const answer = await call(url, { method: "POST", key: access.apiKey, body: {} });
  expectStatus(answer, 200, "the submit");
}

/** Waits for the order's open review case, approves every requirement under review and confirms the case. */
export async function confirmAtDesk(access: DeskAccess, orderId: string): Promise<void> {
  const { deskUrl, deskToken: key } = access;
  const url = `${deskUrl}/desk/v1/reviews/${orderId}`;
  const open = await eventually(async () => {
    const found = expectStatus(await call(url, { key }), 200, "GET of the case");
    const review = reviewCase.parse(found.body);
    if (review.state !== "open") throw new Error(`the case is ${review.state}`);
    return review;
  });
  const decisions = open.requirements
    .filter(({ status }) => status === "requirement-info-under-review")
    .map(({ slug }) => ({ slug, decision: "approve" }));
  const body = { decisions, confirm: true };
  const decided = await call(`${url}/decision`, { method: "POST", key, body });
  expectStatus(decided, 202, "the decision");
}
