import { z } from "zod";
import { dataOf } from "../support/call.ts";
import { ask, askUntilAnswered } from "./ask.ts";
import type { DriverRecord } from "./driver-record.ts";

export interface DeskOptions {
  readonly deskUrl: string;
  readonly token: string;
  readonly record: DriverRecord;
}

const QUEUE_SIZE = 50;
const IDLE_MS = 100;

/** Confirms whatever waits, until told that it is over. */
export async function workAtDesk(options: DeskOptions, isOver: () => boolean): Promise<void> {
  const { deskUrl, token } = options;
  const decided = new Set<string>();
  while (!isOver()) {
    const queue = await ask(`${deskUrl}/desk/v1/reviews?limit=${QUEUE_SIZE}`, { key: token });
    const waiting = (queue?.status === 200 ? dataOf(queue) : [])
      .map((one) => z.string().parse(one["order_id"]))
      .filter((orderId) => !decided.has(orderId));
    await Promise.all(
      waiting.map(async (orderId) => {
        decided.add(orderId);
        await confirm(options, orderId);
      }),
    );
    if (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  }
}

async function confirm({ deskUrl, token, record }: DeskOptions, orderId: string): Promise<void> {
  const url = `${deskUrl}/desk/v1/reviews/${orderId}/decision`;
  const body = { confirm: true };
  const { answer, doubted } = await askUntilAnswered(url, { method: "POST", key: token, body });
  if (doubted) record.doubts += 1;
  if (answer.status !== 202 && !(doubted && answer.status === 409)) {
    throw new Error(`decision was answered ${answer.status}`);
  }
  record.acknowledged.push({ kind: "decided", orderId });
}
