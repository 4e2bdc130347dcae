import { z } from "zod";
import { dataOf, outcomeOf, type Answer } from "../../support/http/call.ts";
import { ask, postOnce } from "./ask.ts";
import { waitsForDesk } from "./customer.ts";
import type { DriverRecord } from "./run-progress.ts";

export interface DeskOptions {
  readonly deskUrl: string;
  readonly token: string;
  readonly random: () => number;
  readonly record: DriverRecord;
}

const QUEUE_SIZE = 50;
const IDLE_MS = 100;
const REJECT_SHARE = 0.15;

const queued = z.object({ order_id: z.string(), attempt: z.number() });
const reviewCase = z.object({
  requirements: z.array(z.object({ slug: z.string(), status: z.string() })),
});

type Queued = z.infer<typeof queued>;

/** Decides all waiting cases until `isOver`; rejects a field of some at their first attempt. */
export async function workAtDesk(options: DeskOptions, isOver: () => boolean): Promise<void> {
  const { deskUrl, token } = options;
  const decided = new Set<string>();
  while (!isOver()) {
    const queue = await ask(`${deskUrl}/desk/v1/reviews?limit=${QUEUE_SIZE}`, { key: token });
    const waiting = (queue?.status === 200 ? dataOf(queue) : [])
      .map((one) => queued.parse(one))
      .filter((one) => !decided.has(`${one.order_id} ${one.attempt}`));
    await Promise.all(
      waiting.map(async (one) => {
        if (await decide(options, one)) decided.add(`${one.order_id} ${one.attempt}`);
      }),
    );
    if (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  }
}

/** False where the case could not be read and must be tried again. */
async function decide(options: DeskOptions, { order_id: orderId, attempt }: Queued) {
  const { deskUrl, token: key, random, record } = options;
  const url = `${deskUrl}/desk/v1/reviews/${orderId}`;
  const found = await ask(url, { key });
  if (found?.status !== 200) return false;
  const slugs = reviewCase
    .parse(found.body)
    .requirements.filter(({ status }) => status === "requirement-info-under-review")
    .map(({ slug }) => slug);
  const rejected = attempt === 1 && random() < REJECT_SHARE ? slugs.at(-1) : undefined;
  const body =
    rejected === undefined
      ? { attempt, confirm: true, decisions: slugs.map(approve) }
      : {
          attempt,
          decisions: [{ slug: rejected, decision: "reject", reason: "It is not right." }],
        };
  const { answer, doubted } = await postOnce(`${url}/decision`, { key, body });
  if (doubted) record.doubts += 1;
  // The customer's cancel has withdrawn the case.
  if (answer.status === 409) return true;
  if (answer.status !== 202) throw new Error(`decision returned ${answer.status}`);
  const kind = rejected === undefined ? "decided" : "rejected";
  record.acknowledged.push({ kind, orderId });
  return true;
}

function approve(slug: string) {
  return { slug, decision: "approve" };
}

const RESUBMIT_SHARE = 0.5;

/** Settles what carriers rejected for what the desk owns: splits orders of two numbers, submits or hands over others. */
export async function settleRejections(options: DeskOptions, isOver: () => boolean): Promise<void> {
  const { deskUrl, token: key } = options;
  const url = `${deskUrl}/desk/v1/orders?status=rejection&limit=${QUEUE_SIZE}`;
  while (!isOver()) {
    const answer = await ask(url, { key });
    const waiting = (answer?.status === 200 ? dataOf(answer) : []).filter(waitsForDesk);
    for (const order of waiting) await settle(options, z.string().parse(order["id"]));
    if (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  }
}

async function settle(options: DeskOptions, orderId: string): Promise<void> {
  const { deskUrl, token: key, random, record } = options;
  const { numbers = [] } = record.pairs.get(orderId) ?? {};
  const isWhole = numbers.length > 1 && !record.splits.some(({ from }) => from === orderId);
  const groups = numbers.map((number) => [number]);
  const [path, body] =
    random() < RESUBMIT_SHARE
      ? (["resubmit", { note: "The switch is repaired." }] as const)
      : isWhole
        ? (["split", { groups, reason: "Two switches." }] as const)
        : (["hand_over", HANDED_OVER] as const);
  const { answer, doubted } = await postOnce(`${deskUrl}/desk/v1/orders/${orderId}/${path}`, {
    key,
    body,
  });
  if (doubted) record.doubts += 1;
  // The customer has cancelled.
  if (answer.status === 409) return;
  if (answer.status !== 200) throw new Error(`${path} returned ${outcomeOf(answer)}`);
  if (path !== "hand_over") record.acknowledged.push({ kind: "resubmitted", orderId });
  if (path === "split") recordSplit(record, { from: orderId, moved: numbers.slice(1), answer });
}

const HANDED_OVER = {
  code: "account_number_mismatch",
  slug: "account_number",
  reason: "The carrier knows another account.",
} as const;

interface Split {
  readonly from: string;
  readonly moved: readonly string[];
  readonly answer: Answer;
}

/** The new order has all that the other one has, its own URL for webhooks too. */
function recordSplit(record: DriverRecord, { from, moved, answer }: Split): void {
  const [, to = ""] = dataOf(answer).map(({ id }) => z.string().parse(id));
  const whole = record.orders.get(from);
  if (whole === undefined) throw new Error(`the desk split ${from}, which nobody created`);
  record.orders.set(to, { ...whole, orderId: to });
  record.submitted.add(to);
  record.splits.push({ from, to, moved });
  record.acknowledged.push({ kind: "created", orderId: to }, { kind: "submitted", orderId: to });
}
