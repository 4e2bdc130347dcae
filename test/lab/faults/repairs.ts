import { z } from "zod";
import { dataOf } from "../../support/http/call.ts";
import { ask, askUntilAnswered } from "./ask.ts";
import { requirementsOf, fulfil, type FulfilOptions } from "./fulfil.ts";

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
    const rejected = answer?.status === 200 ? dataOf(answer) : [];
    for (const order of rejected) await repair(options, order);
    if (rejected.length === 0) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  }
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
  const { answer, doubted } = await askUntilAnswered(url, { method: "POST", key, body: {} });
  if (doubted) record.doubts += 1;
  if (answer.status === 200) record.acknowledged.push({ kind: "resubmitted", orderId });
  // 409: cancelled meanwhile, or the unanswered attempt had its effect.
  else if (answer.status !== 409) throw new Error(`submit returned ${answer.status}`);
}
