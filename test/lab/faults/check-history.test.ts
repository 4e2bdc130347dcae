import { describe, expect, it } from "@jest/globals";
import { checkHistory } from "./check-history.ts";
import type { History, SeenEvent } from "./history.ts";

const move = (id: string, from: string, to: string): SeenEvent => ({
  id,
  type: "porting_order.status_changed",
  orderId: "o",
  previousStatus: from,
  newStatus: to,
  documentId: null,
  commentId: null,
});

const FEED: readonly SeenEvent[] = [
  {
    id: "1",
    type: "porting_order.created",
    orderId: "o",
    previousStatus: null,
    newStatus: null,
    documentId: null,
    commentId: null,
  },
  move("2", "draft", "in_review"),
  move("3", "in_review", "submitted"),
];

function history(fields: Partial<History> = {}): History {
  return {
    acknowledged: [
      { kind: "created", orderId: "o" },
      { kind: "submitted", orderId: "o" },
      { kind: "decided", orderId: "o" },
    ],
    knownOrders: new Set(["o"]),
    submittedOrders: new Set(["o"]),
    cancelAsked: new Set(),
    finalStatus: new Map([["o", "completed"]]),
    feed: FEED,
    followed: ["1", "2", "3"],
    followedFeed: ["1", "2", "3"],
    log: FEED.map(({ id }, n) => ({
      id,
      accountId: "a",
      seq: n + 1,
      sequenceKey: "o",
      orderSequence: n + 1,
      hash: `h${id}`,
    })),
    topic: [...FEED, ...FEED].map(({ id }) => ({ id, hash: `h${id}` })),
    expected: FEED.map(({ id }) => ({ eventId: id, path: "/all" })),
    received: FEED.map(({ id }) => ({ eventId: id, path: "/all", hash: `h${id}` })),
    deliveryRows: FEED.map(({ id }) => ({ eventId: id, status: "succeeded" })),
    ...fields,
  };
}

function breached(fields: Partial<History>): string[] {
  const found = Object.entries(checkHistory(history(fields)));
  return found.filter(([, breaches]) => breaches.length > 0).map(([name]) => name);
}

describe("the history checker", () => {
  it("accepts a complete history, even with repeats on the topic", () => {
    expect(breached({})).toEqual([]);
  });

  const without = FEED.slice(0, 2);
  const [first] = history().log;
  const logged = history().log;

  it.each<[string, Partial<History>]>([
    ["acknowledgedOnce", { feed: without, log: logged.slice(0, 2), topic: [] }],
    ["acknowledgedOnce", { feed: [...FEED, { ...move("4", "draft", "in_review") }] }],
    ["unbrokenChains", { feed: [...without, move("3", "draft", "submitted")] }],
    ["noGaps", { log: logged.map((row) => ({ ...row, orderSequence: row.seq * 2 })) }],
    ["noGaps", { log: logged.map((row) => ({ ...row, seq: row.seq + 1 })) }],
    ["sameEverywhere", { feed: [...FEED, ...FEED] }],
    ["sameEverywhere", { topic: [] }],
    ["sameEverywhere", { topic: [{ id: "1", hash: "other" }] }],
    ["sameEverywhere", { log: first === undefined ? [] : [first] }],
    ["followedWhole", { followed: ["1", "3", "2"] }],
    ["followedWhole", { followed: ["1", "2"] }],
    ["deliveredEach", { received: history().received.slice(1) }],
    ["deliveredEach", { expected: history().expected.slice(1) }],
    ["deliveredEach", { received: history().received.map((one) => ({ ...one, hash: "other" })) }],
    ["deliveredEach", { deliveryRows: history().deliveryRows.slice(1) }],
    ["deliveredEach", { deliveryRows: FEED.map(({ id }) => ({ eventId: id, status: "failed" })) }],
    ["nothingInvented", { knownOrders: new Set() }],
    ["allEnded", { finalStatus: new Map([["o", "activating"]]) }],
    ["allEnded", { finalStatus: new Map([["o", "cancelled"]]) }],
    ["acknowledgedOnce", { acknowledged: [{ kind: "cancelled", orderId: "o" }] }],
    ["acknowledgedOnce", { acknowledged: [{ kind: "rejected", orderId: "o" }] }],
    ["acknowledgedOnce", { acknowledged: [{ kind: "signed", orderId: "o", documentId: "d" }] }],
    ["acknowledgedOnce", { acknowledged: [{ kind: "commented", orderId: "o", commentId: "c" }] }],
  ])("%s finds its kind of breach", (name, fields) => {
    expect(breached(fields)).toContain(name);
  });

  it("requires one move into cancel_pending, whatever the carrier answers", () => {
    const acknowledged = [{ kind: "cancelled", orderId: "o" }] as const;
    const moves = [
      ["submitted", "cancel_pending"],
      ["cancel_pending", "activating"],
      ["activating", "cancelled"],
    ] as const;
    const feed = moves.map(([from, to], n) => move(String(n + 4), from, to));
    expect(breached({ acknowledged, feed: [...FEED, ...feed] })).not.toContain("acknowledgedOnce");
    const twice = move("9", "in_review", "cancel_pending");
    expect(breached({ acknowledged, feed: [...FEED, ...feed, twice] })).toContain(
      "acknowledgedOnce",
    );
  });

  it("counts what is acknowledged several times, as a submit after each rejection", () => {
    const resubmitted = { kind: "resubmitted", orderId: "o" } as const;
    const rounds = [4, 6].flatMap((n) => [
      move(String(n), "activating", "rejection"),
      move(String(n + 1), "rejection", "in_review"),
    ]);
    const feed = [...FEED, ...rounds];
    const twice = { acknowledged: [resubmitted, resubmitted], feed };
    expect(breached(twice)).not.toContain("acknowledgedOnce");
    expect(breached({ ...twice, feed: feed.slice(0, -2) })).toContain("acknowledgedOnce");
    expect(breached({ ...twice, acknowledged: [resubmitted] })).toContain("acknowledgedOnce");
  });

  it("lets a cancel overtake the desk's decision and end the order", () => {
    const fields = {
      acknowledged: [{ kind: "rejected", orderId: "o" }],
      finalStatus: new Map([["o", "cancelled"]]),
      cancelAsked: new Set(["o"]),
    } as const;
    const found = breached(fields);
    expect(found).not.toContain("acknowledgedOnce");
    expect(found).not.toContain("allEnded");
  });
});
