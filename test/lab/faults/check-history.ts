import type { AcknowledgedChange, History, SeenEvent } from "./history.ts";

/** A description of one violation. */
export type Breach = string;

type Check = (history: History) => Breach[];

const moved =
  (from: string, to: string) =>
  ({ previousStatus, newStatus }: SeenEvent): boolean =>
    previousStatus === from && newStatus === to;

const BEFORE_SENT: ReadonlySet<string> = new Set(["draft", "in_review", "rejection"]);

const MARK: Record<
  AcknowledgedChange["kind"],
  (event: SeenEvent, change: AcknowledgedChange, events: readonly SeenEvent[]) => boolean
> = {
  created: ({ type }) => type === "porting_order.created",
  deleted: ({ type }) => type === "porting_order.deleted",
  submitted: moved("draft", "in_review"),
  decided: moved("in_review", "submitted"),
  rejected: moved("in_review", "rejection"),
  resubmitted: moved("rejection", "in_review"),
  // A later move to cancelled is the carrier's answer to an earlier cancel.
  cancelled: ({ previousStatus, newStatus }, _, events) =>
    newStatus === "cancel_pending" ||
    (newStatus === "cancelled" &&
      BEFORE_SENT.has(previousStatus ?? "") &&
      !events.some((event) => event.newStatus === "cancel_pending")),
  signed: ({ type, documentId }, change) =>
    type === "loa.signed" && change.kind === "signed" && documentId === change.documentId,
  commented: ({ commentId }, change) =>
    change.kind === "commented" && commentId === change.commentId,
};

/** Without the port-outs of its numbers, which name the order too, but have a status of their own. */
function byOrder(feed: readonly SeenEvent[]): Map<string, SeenEvent[]> {
  const orders = new Map<string, SeenEvent[]>();
  for (const event of feed) {
    if (event.orderId === null || event.type.startsWith("port_out.")) continue;
    const events = orders.get(event.orderId) ?? [];
    events.push(event);
    orders.set(event.orderId, events);
  }
  return orders;
}

/** The customer's cancel may overtake these decisions of the desk. */
const OVERTAKEN: ReadonlySet<AcknowledgedChange["kind"]> = new Set(["decided", "rejected"]);

/** Every acknowledged change is in the feed as often as it was acknowledged. */
const acknowledgedOnce: Check = ({ acknowledged, cancelAsked, feed }) => {
  const orders = byOrder(feed);
  const keyOf = (change: AcknowledgedChange): string => Object.values(change).join(" ");
  const times = new Map<string, number>();
  for (const key of acknowledged.map(keyOf)) times.set(key, (times.get(key) ?? 0) + 1);
  return [...new Map(acknowledged.map((change) => [keyOf(change), change]))].flatMap(
    ([key, change]) => {
      const { kind, orderId } = change;
      const events = orders.get(orderId) ?? [];
      const found = events.filter((event) => MARK[kind](event, change, events)).length;
      const lost = (times.get(key) ?? 0) - found;
      if (lost === 0) return [];
      if (lost === 1 && OVERTAKEN.has(kind) && cancelAsked.has(orderId)) return [];
      return [`${lost > 0 ? "lost" : "doubled"}: ${kind} of order ${orderId}`];
    },
  );
};

/** Each previous_status equals the new_status before it, from draft on. */
const unbrokenChains: Check = ({ feed }) =>
  [...byOrder(feed)].flatMap(([orderId, events]) => {
    let status = "draft";
    return events.flatMap(({ previousStatus, newStatus }) => {
      if (previousStatus === null || newStatus === null) return [];
      const broken = previousStatus !== status;
      const before = status;
      status = newStatus;
      return broken ? [`chain: order ${orderId} was ${before}, not ${previousStatus}`] : [];
    });
  });

function gaps(label: string, numbers: readonly number[]): Breach[] {
  const sorted = [...numbers].sort((a, b) => a - b);
  const wrong = sorted.findIndex((number, n) => number !== n + 1);
  return wrong < 0 ? [] : [`gap: ${label} at ${wrong + 1}`];
}

function numbersBy<T>(rows: readonly T[], key: (row: T) => string, number: (row: T) => number) {
  const groups = new Map<string, number[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), number(row)]);
  return [...groups];
}

/** order_sequence per key and the feed's numbers per account run 1, 2, 3 … */
const noGaps: Check = ({ log }) => [
  ...numbersBy(
    log.flatMap(({ sequenceKey, orderSequence }) =>
      orderSequence === null ? [] : [{ sequenceKey, orderSequence }],
    ),
    (row) => row.sequenceKey,
    (row) => row.orderSequence,
  ).flatMap(([key, numbers]) => gaps(`order_sequence of ${key}`, numbers)),
  ...numbersBy(
    log,
    (row) => row.accountId,
    (row) => row.seq,
  ).flatMap(([account, numbers]) => gaps(`feed of ${account}`, numbers)),
];

/** Feed, topic and database hold the same events with the same bytes; only the topic may repeat one. */
const sameEverywhere: Check = ({ feed, topic, log }) => {
  const logged = new Map(log.map((row) => [row.id, row.hash]));
  const fed = new Set(feed.map((event) => event.id));
  const published = new Set(topic.map((event) => event.id));
  return [
    ...(fed.size === feed.length ? [] : ["feed: an event is there twice"]),
    ...[...logged.keys()].filter((id) => !fed.has(id)).map((id) => `feed lacks ${id}`),
    ...[...fed].filter((id) => !logged.has(id)).map((id) => `log lacks ${id}`),
    ...[...logged.keys()].filter((id) => !published.has(id)).map((id) => `topic lacks ${id}`),
    ...topic
      .filter(({ id, hash }) => logged.get(id) !== hash)
      .map(({ id }) => `topic and log differ on ${id}`),
  ];
};

/** A reader that paged forward throughout the run saw the whole feed in its order, without repeats. */
const followedWhole: Check = ({ followed, followedFeed }) =>
  followed.length === followedFeed.length && followed.every((id, n) => id === followedFeed[n])
    ? []
    : [`reader: followed ${followed.length} of ${followedFeed.length} events, or in another order`];

/** Every matching endpoint got every event with its stored bytes, one row each, and nothing else was delivered. */
const deliveredEach: Check = ({ expected, received, log, deliveryRows }) => {
  const hashes = new Map(log.map((row) => [row.id, row.hash]));
  const key = ({ eventId, path }: { eventId: string; path: string }): string =>
    `${eventId} at ${path}`;
  const wanted = new Set(expected.map(key));
  const got = new Set(received.map(key));
  return [
    ...[...wanted].filter((one) => !got.has(one)).map((one) => `not delivered: ${one}`),
    ...[...got].filter((one) => !wanted.has(one)).map((one) => `delivered without reason: ${one}`),
    ...received
      .filter(({ eventId, hash }) => hashes.get(eventId) !== hash)
      .map((one) => `other bytes: ${key(one)}`),
    ...(deliveryRows.length === wanted.size
      ? []
      : [`rows: ${deliveryRows.length} deliveries for ${wanted.size} expected`]),
    ...deliveryRows
      .filter(({ status }) => status !== "succeeded")
      .map(({ eventId, status }) => `row: ${eventId} is ${status}`),
  ];
};

/** No event belongs to an order that was never created. */
const nothingInvented: Check = ({ feed, knownOrders }) =>
  feed
    .filter(({ orderId }) => orderId !== null && !knownOrders.has(orderId))
    .map(({ id, orderId }) => `invented: ${id} of order ${orderId ?? ""}`);

/** Every submitted order reached a terminal status. */
const allEnded: Check = ({ submittedOrders, cancelAsked, finalStatus }) =>
  [...submittedOrders].flatMap((orderId) => {
    const status = finalStatus.get(orderId) ?? "gone";
    if (status === "completed") return [];
    // A cancel may come between two numbers of an order.
    const isCancelled = status === "cancelled" || status === "completed_partial";
    if (isCancelled && cancelAsked.has(orderId)) return [];
    return [`not ended: order ${orderId} is ${status}`];
  });

const CHECKS = {
  acknowledgedOnce,
  unbrokenChains,
  noGaps,
  sameEverywhere,
  followedWhole,
  deliveredEach,
  nothingInvented,
  allEnded,
} as const;

/** All breaches, by the name of the check. */
export function checkHistory(history: History): Record<string, Breach[]> {
  return Object.fromEntries(Object.entries(CHECKS).map(([name, check]) => [name, check(history)]));
}
