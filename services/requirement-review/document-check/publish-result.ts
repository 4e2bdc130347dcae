import { lockOrderOnly } from "../../domain/order/store/read-order.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { CheckResult } from "../../domain/document/rules/check-result.ts";
import type { CheckRequest } from "./store/document-checks.ts";

export interface DocumentResult {
  readonly address: Pick<CheckRequest, "order_id" | "attempt" | "slug" | "document_id"> &
    Partial<Pick<CheckRequest, "traceparent">>;
  readonly result: CheckResult;
}

/** Writes a result's message in one transaction with what `settle` does, which refuses both by returning false. */
export async function publishResult(
  bus: Bus,
  { address, result }: DocumentResult,
  settle: (tx: Queryable) => Promise<boolean>,
): Promise<void> {
  const { order_id, attempt, slug, document_id, traceparent } = address;
  const { code, detail } = result.passed ? { code: null, detail: null } : result;
  const found = { slug, document_id, passed: result.passed, code, detail };
  const isPublished = await inTransaction(bus.pool, async (tx) => {
    // The lock on the message's key keeps the messages of one order in sequence.
    const isKnown = await lockOrderOnly(tx, order_id);
    if (!(await settle(tx)) || !isKnown) return false;
    const message = { kind: "document_checked", order_id, attempt, ...found } as const;
    const traced = { ...bus, traceparent: traceparent ?? undefined };
    const target = { key: order_id, messageId: newId(bus.clock.now()) };
    await writeOutbox(tx, [outgoing(traced, "porting.review-results", { ...target, message })]);
    return true;
  });
  if (!isPublished) return;
  const counter = bus.metrics.counter({
    name: "document_checks_total",
    help: "Documents that were checked, by result",
    labels: ["result"],
  });
  counter.inc({ result: code ?? "passed" });
}
