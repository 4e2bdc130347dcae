import { z } from "zod";
import { dataOf } from "../../support/http/call.ts";
import { ask, askUntilAnswered } from "./ask.ts";
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
  const { answer, doubted } = await askUntilAnswered(`${url}/decision`, {
    method: "POST",
    key,
    body,
  });
  if (doubted) record.doubts += 1;
  // 409 without a doubt: the customer's cancel has withdrawn the case.
  if (answer.status === 409) return true;
  if (answer.status !== 202) throw new Error(`decision returned ${answer.status}`);
  const kind = rejected === undefined ? "decided" : "rejected";
  record.acknowledged.push({ kind, orderId });
  return true;
}

function approve(slug: string) {
  return { slug, decision: "approve" };
}
