import {
  awaitedTimeOf,
  type AwaitedTime,
  type DueTimes,
} from "../../../domain/order/rules/due-times.ts";
import type { Order } from "../../../domain/order/rules/order.ts";
import { youngUntil } from "../../../domain/requirement/rules/readiness.ts";
import type { OrderView } from "./order-view.ts";
import type { VersionedOrder } from "./store/read-versioned.ts";

/** What an order's answer was made from has no other way to change; should that once be wrong, it is so for a minute. */
const KEPT_MS = 60_000;

/** The answer with an order in one view, and when it holds. */
export interface KeptAnswer {
  readonly json: Buffer;
  readonly version: string;
  readonly numbersCount: number;
  /** The times at which it shows the same, in epoch milliseconds. */
  readonly from: number;
  readonly until: number;
  /** Where its due time is not the order's own, but that of a case or a port-out; then it holds only with this one. */
  readonly awaited: AwaitedTime | null;
  readonly dueAt: number | null;
}

export interface Shown {
  readonly view: OrderView;
  readonly due: DueTimes;
  readonly now: Date;
}

export function makeAnswer(
  { order, version }: VersionedOrder,
  { view, due, now }: Shown,
): KeptAnswer {
  const awaited = view.showsDueTime ? awaitedElsewhere(order) : null;
  const from = now.getTime();
  return {
    json: bytesOf(JSON.stringify(view.present(order, due, now))),
    version,
    numbersCount: order.numbers.length,
    from,
    until: Math.min(
      from + KEPT_MS,
      ...order.requirements.map(youngUntil).filter((at) => at >= from),
    ),
    awaited,
    dueAt: dueAtOf(order.id, due),
  };
}

/** In memory of its own: a small buffer is else a piece of a larger one, which it keeps from being freed. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

export function dueAtOf(orderId: string, due: DueTimes): number | null {
  return due.get(orderId)?.getTime() ?? null;
}

/** Whether an order of this version still looks like that, but for its `awaited` time. */
export function holds(answer: KeptAnswer, version: string, nowMs: number): boolean {
  return answer.version === version && isInTime(answer, nowMs);
}

export function isInTime(
  { from, until }: Pick<KeptAnswer, "from" | "until">,
  nowMs: number,
): boolean {
  return from <= nowMs && nowMs <= until;
}

/** The time of a case or a port-out, which changes without the order. */
function awaitedElsewhere(order: Order): AwaitedTime | null {
  const awaited = awaitedTimeOf(order);
  return (awaited.attempt ?? awaited.port_out_ref) === null ? null : awaited;
}
