import type { Comment, TimelineEntry } from "../queries.ts";

/** What somebody wrote about an order. */
export interface Text {
  readonly id: string;
  readonly who: string;
  readonly at: string;
  readonly body: string;
  /** Only the desk sees it. */
  readonly isInternal: boolean;
  /** An operator wrote it to the customer. */
  readonly isToCustomer: boolean;
}

const AUTHORS = {
  customer: "Customer",
  ops: "Desk",
  carrier: "Carrier",
  system: "Service",
} as const;

/** Comments and notes together, the latest first; notes stand in the desk's timeline. */
export function conversationOf(
  comments: readonly Comment[],
  timeline: readonly TimelineEntry[],
): readonly Text[] {
  const written = comments.map(
    ({ id, body, author, author_type: side, created_at: at, internal }) => ({
      id,
      who: author?.name ?? AUTHORS[side],
      at,
      body,
      isInternal: internal,
      isToCustomer: side === "ops" && !internal,
    }),
  );
  const notes = timeline.flatMap(({ id, at, kind, actor, data: { body } }) =>
    kind === "note" && typeof body === "string"
      ? [{ id, who: actor.name ?? "Desk", at, body, isInternal: true, isToCustomer: false }]
      : [],
  );
  return [...written, ...notes].toSorted((a, b) => b.at.localeCompare(a.at));
}
