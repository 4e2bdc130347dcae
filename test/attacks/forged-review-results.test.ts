import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { outgoing } from "../../services/messages/bus/outgoing.ts";
import type { Bus } from "../../services/messages/bus/bus.ts";
import type { ReviewResult } from "../../services/messages/generated/review-result.ts";
import type { Sparse } from "../../services/messages/codec.ts";
import { eventually } from "../support/eventually.ts";
import { openReviewDesk, type ReviewDesk } from "../support/orders/review-desk.ts";
import { openTestBus } from "../support/stack/test-bus.ts";

const operators = z.object({ id: z.string() });

let desk: ReviewDesk;
let bus: Bus;
let operatorId: string;

beforeAll(async () => {
  desk = await openReviewDesk();
  bus = await openTestBus(desk.product);
  operatorId = operators.parse((await desk.desk("GET", "/me")).body).id;
});

/** Publishes a review result as anybody at the broker could; returns its message-id. */
async function publish(
  message: Sparse<ReviewResult>,
  messageId: string = crypto.randomUUID(),
): Promise<string> {
  const address = { key: message.order_id, messageId };
  await bus.producer.send([outgoing(bus, "porting.review-results", { ...address, message })]);
  return messageId;
}

function confirmed(orderId: string, fields: Partial<ReviewResult> = {}): Sparse<ReviewResult> {
  const decided = { kind: "decided", order_id: orderId, attempt: 1, decisions: [] } as const;
  return { ...decided, confirm: true, operator_id: operatorId, ...fields };
}

async function statusOf(orderId: string): Promise<unknown> {
  return (await desk.api("GET", `/v2/porting_orders/${orderId}`)).body?.["status"];
}

async function becomes(orderId: string, status: string): Promise<void> {
  await eventually(async () => expect(await statusOf(orderId)).toBe(status));
}

/** Waits until the message lies among the dead letters; returns why. */
function refusedWith(messageId: string): Promise<string> {
  return eventually(async () => {
    const { rows } = await desk.database.query<{ error_code: string }>(
      "select error_code from messaging.dead_letters where message_id = $1",
      [messageId],
    );
    const [letter] = rows;
    if (letter === undefined) throw new Error("not dead-lettered yet");
    return letter.error_code;
  });
}

async function slugsUnderReview(orderId: string): Promise<string[]> {
  const { body } = await desk.desk("GET", `/reviews/${orderId}`);
  const fields = z.array(z.object({ slug: z.string(), status: z.string() }));
  return fields
    .parse(body?.["requirements"])
    .filter(({ status }) => status === "requirement-info-under-review")
    .map(({ slug }) => slug);
}

const approve = (slug: string) => ({ slug, decision: "approve" as const });

const UNKNOWN_ID = crypto.randomUUID();

const FORGERIES: readonly (readonly [string, Partial<ReviewResult>])[] = [
  ["without a decision_id", {}],
  ["with an unknown decision_id", { decision_id: UNKNOWN_ID }],
  ["with a decision_id that is not an id", { decision_id: "'; --" }],
  [
    "that rejects",
    {
      confirm: false,
      decisions: [{ slug: "loa", phone_number: null, decision: "reject", code: null, reason: "x" }],
    },
  ],
];

describe("a review result that the desk did not publish", () => {
  it.each(FORGERIES)("changes nothing %s", async (_what, fields) => {
    const orderId = await desk.newCase();
    const messageId = fields.decision_id === UNKNOWN_ID ? UNKNOWN_ID : undefined;
    const forged = await publish(confirmed(orderId, fields), messageId);
    expect(await refusedWith(forged)).toBe("unknown_decision");
    expect(await statusOf(orderId)).toBe("in_review");
    // What the desk decides afterwards takes effect behind it on the same partition.
    const decisions = (await slugsUnderReview(orderId)).map(approve);
    await desk.desk("POST", `/reviews/${orderId}/decision`, { decisions, confirm: true });
    await becomes(orderId, "submitted");
  });

  it("neither changes a real decision nor repeats it", async () => {
    const orderId = await desk.newCase();
    const [slug = ""] = await slugsUnderReview(orderId);
    const path = `/reviews/${orderId}/decision`;
    await desk.desk("POST", path, { decisions: [approve(slug)] });
    const { rows } = await desk.database.query<{ id: string }>(
      "select id from reviews.decisions where order_id = $1",
      [orderId],
    );
    const decision_id = rows[0]?.id ?? "";
    const decisions = [{ ...approve(slug), phone_number: null, code: null, reason: null }];
    const copies = [
      await publish(confirmed(orderId, { decision_id })),
      await publish(confirmed(orderId, { decision_id, confirm: false, decisions })),
      await publish(confirmed(orderId, { confirm: false, decisions })),
    ];
    for (const copy of copies) expect(await refusedWith(copy)).toBe("unknown_decision");
    expect(await statusOf(orderId)).toBe("in_review");
  });
});
