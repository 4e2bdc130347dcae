import { z } from "zod";
import { testPdf } from "../../support/documents/test-document.ts";
import { dataOf, type Answer } from "../../support/http/call.ts";
import { ask, askUntilAnswered, GIVE_UP_MS, postOnce } from "./ask.ts";
import { focIn } from "./after-submission.ts";
import type { Ending } from "./phone-numbers.ts";
import type { DriverRecord } from "./run-progress.ts";

interface CommentOptions {
  readonly deskUrl: string;
  /** The operator's token. */
  readonly token: string;
  readonly perOrder: number;
}

/** Comments on an order as the desk: the change with an event that costs least. */
async function commentOn(
  orderId: string,
  { deskUrl, token: key, perOrder }: CommentOptions,
  record: DriverRecord,
): Promise<void> {
  const url = `${deskUrl}/desk/v1/orders/${orderId}/comments`;
  for (let n = 1; n <= perOrder; n += 1) {
    const { answer, doubted } = await postOnce(url, { key, body: { body: `Comment ${n}` } });
    if (doubted) record.doubts += 1;
    if (answer.status !== 201) throw new Error(`a comment returned ${answer.status}`);
    const commentId = z.string().parse(answer.body?.["id"]);
    record.acknowledged.push({ kind: "commented", orderId, commentId });
  }
}

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

type Requirement = z.infer<typeof requirements>[number];

const POLL_MS = 100;
/** The authorized person of the catalogue's example. */
const SIGNATURE = { signer_name: "Grace Hopper", consent: true };

function requirementsOf(order: Readonly<Record<string, unknown>>): Requirement[] {
  return requirements.parse(order["requirements"]);
}

/** Fulfils fields, the signature last, and waits until the order is ready; false where it can never be. */
async function fulfil(
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

export interface CustomerOptions {
  readonly apiUrl: string;
  readonly accountId: string;
  readonly key: string;
  readonly receiverUrl: string;
  readonly numbers: Generator<string, never>;
  /** Numbers of orders that are changed or split after their submission; there are no such orders unless given. */
  readonly pairs?: ((ending: Ending) => readonly string[]) | undefined;
  readonly random: () => number;
  readonly record: DriverRecord;
  /** Comments on each order by the desk. */
  readonly comments?: CommentOptions | undefined;
}

const OWN_URL_SHARE = 0.1;
const DELETE_SHARE = 0.15;
const KEEP_SHARE = 0.05;
const CANCEL_SHARE = 0.15;
const LONGEST_BEFORE_CANCEL_MS = 4_000;
const BACKOFF_MS = 50;

/** Creates an order, then deletes it, leaves it, or submits it and perhaps cancels; records every answer. */
export async function playOneOrder(options: CustomerOptions): Promise<void> {
  const { record, random } = options;
  const created = await createDraft(options);
  if (created === null) return;
  const { orderId, fields } = created;
  if (options.comments !== undefined) await commentOn(orderId, options.comments, record);
  const fate = random();
  if (fate < DELETE_SHARE) await remove(options, orderId);
  if (fate < DELETE_SHARE + KEEP_SHARE) return;
  if (created.ending === "accepted" || created.ending === "refused") {
    await askForLaterDate(options, orderId);
  }
  await fulfil(options, orderId, fields);
  await submit(options, orderId);
  if (random() >= CANCEL_SHARE) return;
  await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_BEFORE_CANCEL_MS));
  await cancel(options, orderId);
}

/** Changes end two days before the date. */
async function askForLaterDate(options: CustomerOptions, orderId: string): Promise<void> {
  const { apiUrl, key } = options;
  const body = { foc_requested: await focIn(options, orderId, 10) };
  const url = `${apiUrl}/v2/porting_orders/${orderId}`;
  const { answer } = await askUntilAnswered(url, { method: "PATCH", key, body });
  if (answer.status !== 200 && answer.status !== 404) {
    throw new Error(`the date returned ${answer.status}`);
  }
}

const PAIR_SHARE = 0.3;
const PAIRS = ["accepted", "refused", "failed", "failed"] as const satisfies readonly Ending[];

/** Creates a draft of the next number, or of a pair; null where the answer is in doubt, after a short wait. */
export async function createDraft(
  options: CustomerOptions,
): Promise<(Created & { readonly ending: Ending | null }) | null> {
  const { record, random, accountId, pairs } = options;
  const ending = random() < PAIR_SHARE ? PAIRS[Math.floor(random() * PAIRS.length)] : undefined;
  const pair = ending === undefined ? undefined : pairs?.(ending);
  const numbers = pair ?? [options.numbers.next().value];
  const [number = ""] = numbers;
  const ownPath = random() < OWN_URL_SHARE ? `/order/${number.slice(1)}` : null;
  const created = await createOrder(options, numbers, ownPath);
  if (created !== null && ending !== undefined && pair !== undefined) {
    record.pairs.set(created.orderId, { accountId, ending, numbers });
    return { ...created, ending };
  }
  if (created !== null) return { ...created, ending: null };
  record.doubtfulNumbers.set(number, { accountId, ownPath });
  await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS));
  return null;
}

export interface Created {
  readonly orderId: string;
  readonly fields: readonly Requirement[];
}

/** Creates a draft, with a webhook URL of its own where `ownPath` is given; null where the answer is in doubt. */
export async function createOrder(
  { apiUrl, key, accountId, receiverUrl, record }: Omit<CustomerOptions, "random">,
  phone_numbers: readonly string[],
  ownPath: string | null,
): Promise<Created | null> {
  const webhook = ownPath === null ? {} : { webhook_url: receiverUrl + ownPath };
  const body = { phone_numbers, ...webhook };
  const answer = await ask(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  if (answer?.status !== 201) {
    if (answer !== null) throw new Error(`create returned ${answer.status}`);
    record.doubts += 1;
    return null;
  }
  const [order = {}] = dataOf(answer);
  const orderId = z.string().parse(order["id"]);
  record.orders.set(orderId, { orderId, accountId, ownPath });
  record.acknowledged.push({ kind: "created", orderId });
  return { orderId, fields: requirementsOf(order).filter(({ mandatory }) => mandatory) };
}

async function remove({ apiUrl, key, record }: CustomerOptions, orderId: string): Promise<void> {
  const url = `${apiUrl}/v2/porting_orders/${orderId}`;
  const { answer, doubted } = await askUntilAnswered(url, { method: "DELETE", key });
  if (doubted) record.doubts += 1;
  // 404 after a doubt: the unanswered attempt had its effect.
  if (answer.status !== 204 && !(doubted && answer.status === 404)) {
    throw new Error(`delete returned ${answer.status}`);
  }
  record.acknowledged.push({ kind: "deleted", orderId });
}

async function submit({ apiUrl, key, record }: CustomerOptions, orderId: string): Promise<void> {
  const url = `${apiUrl}/v2/porting_orders/${orderId}/submit`;
  const { answer, doubted } = await askUntilAnswered(url, { method: "POST", key, body: {} });
  if (doubted) record.doubts += 1;
  if (answer.status !== 200 && !(doubted && answer.status === 409)) {
    throw new Error(`submit returned ${answer.status}`);
  }
  record.submitted.add(orderId);
  record.acknowledged.push({ kind: "submitted", orderId });
}

/** Cancels at whatever status the order has by then; 409 (too late) is a valid answer too. */
async function cancel({ apiUrl, key, record }: CustomerOptions, orderId: string): Promise<void> {
  const url = `${apiUrl}/v2/porting_orders/${orderId}/cancel`;
  record.cancelAsked.add(orderId);
  const { answer, doubted } = await postOnce(url, { key, body: {} });
  if (doubted) record.doubts += 1;
  if (answer.status === 200) record.acknowledged.push({ kind: "cancelled", orderId });
  else if (answer.status !== 409) throw new Error(`cancel returned ${answer.status}`);
}

const IDLE_MS = 200;
const PAGE = 50;

/** Rewrites the requirements of an account that the desk rejected and submits again, until `isOver`. */
export async function repairRejections(
  options: FulfilOptions,
  isOver: () => boolean,
): Promise<void> {
  const url = `${options.apiUrl}/v2/porting_orders?status=rejection&include=requirements&limit=${PAGE}`;
  while (!isOver()) {
    const answer = await ask(url, { key: options.key });
    const found = answer?.status === 200 ? dataOf(answer) : [];
    const rejected = found.filter((order) => !waitsForDesk(order));
    for (const order of rejected) await repair(options, order);
    if (rejected.length === 0) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  }
}

/** Whether an order was rejected for what the desk settles. */
export function waitsForDesk(order: Readonly<Record<string, unknown>>): boolean {
  return (
    z.object({ next_action: z.object({ actor: z.string() }) }).parse(order).next_action.actor ===
    "desk"
  );
}

async function repair(
  options: FulfilOptions,
  order: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { apiUrl, key, record } = options;
  const orderId = z.string().parse(order["id"]);
  const wrong = requirementsOf(order).filter(
    ({ status }) => status === "requirement-info-exception",
  );
  if (!(await fulfil(options, orderId, wrong))) return;
  const url = `${apiUrl}/v2/porting_orders/${orderId}/submit`;
  const { answer, doubted } = await postOnce(url, { key, body: {} });
  if (doubted) record.doubts += 1;
  if (answer.status === 200) record.acknowledged.push({ kind: "resubmitted", orderId });
  // 409: cancelled meanwhile.
  else if (answer.status !== 409) throw new Error(`submit returned ${answer.status}`);
}
