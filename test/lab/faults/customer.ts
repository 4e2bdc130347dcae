import { z } from "zod";
import { dataOf } from "../../support/http/call.ts";
import { ask, askUntilAnswered } from "./ask.ts";
import { commentOn, type CommentOptions } from "./comment-on.ts";
import type { DriverRecord } from "./driver-record.ts";
import { requirementsOf, fulfil, type Requirement } from "./fulfil.ts";

export interface CustomerOptions {
  readonly apiUrl: string;
  readonly accountId: string;
  readonly key: string;
  readonly receiverUrl: string;
  readonly numbers: Generator<string, never>;
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
  await fulfil(options, orderId, fields);
  await submit(options, orderId);
  if (random() >= CANCEL_SHARE) return;
  await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_BEFORE_CANCEL_MS));
  await cancel(options, orderId);
}

/** Creates a draft of the next number; null where the answer is in doubt, after a short wait. */
export async function createDraft(options: CustomerOptions): Promise<Created | null> {
  const { record, random, accountId } = options;
  const number = options.numbers.next().value;
  const ownPath = random() < OWN_URL_SHARE ? `/order/${number.slice(1)}` : null;
  const created = await createOrder(options, number, ownPath);
  if (created !== null) return created;
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
  number: string,
  ownPath: string | null,
): Promise<Created | null> {
  const webhook = ownPath === null ? {} : { webhook_url: receiverUrl + ownPath };
  const body = { phone_numbers: [number], ...webhook };
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
  const { answer, doubted } = await askUntilAnswered(url, { method: "POST", key, body: {} });
  if (doubted) record.doubts += 1;
  if (answer.status === 200) record.acknowledged.push({ kind: "cancelled", orderId });
  else if (answer.status !== 409) throw new Error(`cancel returned ${answer.status}`);
}
