import { z } from "zod";
import { dataOf } from "../support/call.ts";
import { ask, askUntilAnswered } from "./ask.ts";
import type { DriverRecord } from "./driver-record.ts";

export interface CustomerOptions {
  readonly apiUrl: string;
  readonly accountId: string;
  readonly key: string;
  readonly receiverUrl: string;
  readonly numbers: Generator<string, never>;
  readonly random: () => number;
  readonly record: DriverRecord;
}

const OWN_URL_SHARE = 0.1;
const DELETE_SHARE = 0.15;
const KEEP_SHARE = 0.05;
const BACKOFF_MS = 50;

/** Creates an order, then deletes it, leaves it or submits it; every answer is noted. */
export async function playOneOrder(options: CustomerOptions): Promise<void> {
  const { record, random } = options;
  const number = options.numbers.next().value;
  const ownPath = random() < OWN_URL_SHARE ? `/order/${number.slice(1)}` : null;
  const orderId = await create(options, number, ownPath);
  if (orderId === null) {
    record.doubtfulNumbers.set(number, { accountId: options.accountId, ownPath });
    await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS));
    return;
  }
  const fate = random();
  if (fate < DELETE_SHARE) await remove(options, orderId);
  else if (fate >= DELETE_SHARE + KEEP_SHARE) await submit(options, orderId);
}

async function create(
  { apiUrl, key, accountId, receiverUrl, record }: CustomerOptions,
  number: string,
  ownPath: string | null,
): Promise<string | null> {
  const webhook = ownPath === null ? {} : { webhook_url: receiverUrl + ownPath };
  const body = { phone_numbers: [number], ...webhook };
  const answer = await ask(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  if (answer?.status !== 201) {
    if (answer !== null) throw new Error(`create was answered ${answer.status}`);
    record.doubts += 1;
    return null;
  }
  const orderId = z.string().parse(dataOf(answer)[0]?.["id"]);
  record.orders.set(orderId, { orderId, accountId, ownPath });
  record.acknowledged.push({ kind: "created", orderId });
  return orderId;
}

async function remove({ apiUrl, key, record }: CustomerOptions, orderId: string): Promise<void> {
  const url = `${apiUrl}/v2/porting_orders/${orderId}`;
  const { answer, doubted } = await askUntilAnswered(url, { method: "DELETE", key });
  if (doubted) record.doubts += 1;
  // 404 after a doubt: the try that nobody answered had its effect.
  if (answer.status !== 204 && !(doubted && answer.status === 404)) {
    throw new Error(`delete was answered ${answer.status}`);
  }
  record.acknowledged.push({ kind: "deleted", orderId });
}

async function submit({ apiUrl, key, record }: CustomerOptions, orderId: string): Promise<void> {
  const url = `${apiUrl}/v2/porting_orders/${orderId}/submit`;
  const { answer, doubted } = await askUntilAnswered(url, { method: "POST", key, body: {} });
  if (doubted) record.doubts += 1;
  if (answer.status !== 200 && !(doubted && answer.status === 409)) {
    throw new Error(`submit was answered ${answer.status}`);
  }
  record.submitted.add(orderId);
  record.acknowledged.push({ kind: "submitted", orderId });
}
