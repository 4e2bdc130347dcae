import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { dataOf } from "../../support/http/call.ts";
import { ask, askUntilAnswered, postOnce } from "./ask.ts";
import type { FulfilOptions } from "./customer.ts";
import type { AskedChange } from "./run-progress.ts";

const DAY_MS = 86_400_000;
const IDLE_MS = 200;
const CONFIRM_SHARE = 0.3;
const WITHDRAW_SHARE = 0.25;
const AT_CARRIER: ReadonlySet<string> = new Set(["submitted", "in_process", "foc_scheduled"]);
const ENDED: ReadonlySet<string> = new Set(["completed", "completed_partial", "cancelled"]);

const seenOrder = z.object({ status: z.string(), foc_actual: z.string().nullable() });

/** A date at which the order's numbers can be moved, after so many days. */
export async function focIn(
  { apiUrl, key }: Pick<FulfilOptions, "apiUrl" | "key">,
  orderId: string,
  days: number,
): Promise<string> {
  const from = new Date(Date.now() + days * DAY_MS).toISOString();
  const url = `${apiUrl}/v2/porting_orders/${orderId}/allowed_foc_windows?from=${from}`;
  const { answer } = await askUntilAnswered(url, { key });
  return z.string().parse(dataOf(answer)[0]?.["opens_at"]);
}

interface ChangeOptions extends FulfilOptions {
  readonly accountId: string;
  readonly random: () => number;
}

/** Asks for a change of each order of the account that waits for one at its carrier, until `isOver`. */
export async function askForChanges(options: ChangeOptions, isOver: () => boolean): Promise<void> {
  const { record, accountId } = options;
  const settled = new Set<string>();
  while (!isOver()) {
    const waiting = [...record.pairs].filter(
      ([id, pair]) => pair.accountId === accountId && pair.ending !== "failed" && !settled.has(id),
    );
    for (const [orderId] of waiting) {
      if (await askForChange(options, orderId)) settled.add(orderId);
    }
    await pause(IDLE_MS);
  }
}

/** False where the order does not take a change yet, or waits for another one. */
async function askForChange(options: ChangeOptions, orderId: string): Promise<boolean> {
  const { apiUrl, key, record, random } = options;
  const answer = await ask(`${apiUrl}/v2/porting_orders/${orderId}`, { key });
  if (answer?.status !== 200) return answer?.status === 404;
  const { status, foc_actual: date } = seenOrder.parse(answer.body);
  if (!AT_CARRIER.has(status)) return ENDED.has(status);
  const { ending, numbers } = record.pairs.get(orderId) ?? { ending: "refused", numbers: [] };
  if (date !== null && random() < CONFIRM_SHARE) {
    await change(options, {
      orderId,
      removed: [],
      foc: date,
      isConfirmation: true,
      wanted: "accepted",
    });
  }
  const what = Math.floor(random() * 3);
  const asked = await change(options, {
    orderId,
    removed: what === 0 ? [] : numbers.slice(1),
    foc: what === 1 ? null : await focIn(options, orderId, 20),
    isConfirmation: false,
    // A carrier that had not confirmed a date goes on waiting for a change, or it moves the numbers.
    wanted: record.changes.some((one) => one.orderId === orderId && one.wanted === "withdrawn")
      ? "ended"
      : ending === "accepted"
        ? "accepted"
        : "refused",
  });
  if (asked === null) return false;
  const isTakenBack = random() < WITHDRAW_SHARE && (await withdraw(options, asked));
  return !isTakenBack || date !== null;
}

/** Null where the order is not at its carrier any more. */
async function change(
  { apiUrl, key, record }: ChangeOptions,
  asked: Omit<AskedChange, "id">,
): Promise<AskedChange | null> {
  const { orderId, removed, foc } = asked;
  const url = `${apiUrl}/v2/porting_orders/${orderId}/changes`;
  const body = {
    ...(removed.length > 0 && { remove_phone_numbers: removed }),
    ...(foc !== null && { foc_requested: foc }),
  };
  const { answer, doubted } = await postOnce(url, { key, body });
  if (doubted) record.doubts += 1;
  if (answer.status === 409) return null;
  if (answer.status !== 201) throw new Error(`a change returned ${answer.status}`);
  const made = { ...asked, id: z.string().parse(answer.body?.["id"]) };
  record.changes.push(made);
  return made;
}

/** False where the carrier was faster, or the order is being cancelled. */
async function withdraw(
  { apiUrl, key, record }: ChangeOptions,
  asked: AskedChange,
): Promise<boolean> {
  const url = `${apiUrl}/v2/porting_orders/${asked.orderId}/changes/${asked.id}/withdraw`;
  const { answer, doubted } = await postOnce(url, { key, body: {} });
  if (doubted) record.doubts += 1;
  if (answer.status === 200) asked.wanted = "withdrawn";
  else if (answer.status !== 409) throw new Error(`a withdrawal returned ${answer.status}`);
  return answer.status === 200;
}
