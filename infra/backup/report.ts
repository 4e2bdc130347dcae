import type { Reconciled } from "./reconcile.ts";

const SHOWN = 20;

/** The report for the operator, line by line; lines that need action come first. */
export function linesOf({ orphans, withheld, moved, behind }: Reconciled): string[] {
  return [
    ...orphans.flatMap(({ topic, messages, sent, first_id, accounts, absent_orders }) => [
      `ALARM ${topic}: ${messages} messages whose cause the database has lost, the first ${first_id}`,
      ...(accounts.length === 0
        ? []
        : [
            `  accounts (${accounts.length}): ${some(accounts)}; ${sent} events went to webhooks before`,
          ]),
      ...(absent_orders.length === 0
        ? []
        : [
            `  orders that the database has lost (${absent_orders.length}): ${some(absent_orders)}`,
          ]),
    ]),
    ...behind.map(
      ({ consumer, topic, partition, next_offset }) =>
        `ALARM ${topic}/${partition} ends before ${next_offset}, the position of ${consumer}: it is read from its beginning`,
    ),
    ...moved.map(
      ({ group, topic, partition, from, to }) =>
        `${group} on ${topic}/${partition}: ${from ?? "nothing"} -> ${to}`,
    ),
    `${withheld} events are not sent to webhooks again`,
    "Done: the services may be started.",
  ];
}

function some(ids: readonly string[]): string {
  const more = ids.length - SHOWN;
  return ids.slice(0, SHOWN).join(", ") + (more > 0 ? `, and ${more} more` : "");
}
