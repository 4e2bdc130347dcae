import { beforeAll, describe, expect, it } from "@jest/globals";
import type { CallUpdate } from "../../../services/messages/generated/call-update.ts";
import { textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import {
  openNumberStack,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";
import { buildCallUpdate } from "../../support/carriers/call-update-factory.ts";

let stack: NumberStack;
let owner: Owner;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
});

const ENDED = { kind: "completed", duration_seconds: 61, ended_by: "caller" } as const;
const MISSED = { kind: "missed", reason: "no_answer" } as const;

/** The call events of the owner's number, once there are `count` of them. */
async function callsTo(number: string, count: number, whose = owner) {
  return eventually(async () => {
    const events = (await stack.events(whose)).filter(
      (event) => (event["payload"] as Record<string, unknown>)["phone_number"] === number,
    );
    expect(events).toHaveLength(count);
    return events;
  });
}

describe("a call", () => {
  it("is published step by step, in order, and once however often it arrives", async () => {
    const number = await stack.newNumber(owner);
    const call_id = "call-1";
    const at = Date.now() - 60_000;
    const steps: CallUpdate[] = [
      buildCallUpdate({ call_id, phone_number: number, occurred_at: at }),
      buildCallUpdate({ call_id, phone_number: number, stage: "fallback", occurred_at: at + 1 }),
      buildCallUpdate({ call_id, phone_number: number, ...ENDED, occurred_at: at + 2 }),
      buildCallUpdate({ call_id: "call-2", phone_number: number, ...MISSED, occurred_at: at + 3 }),
    ];
    await stack.publishCalls([...steps, ...steps]);
    await stack.publishCalls(steps.map((step) => ({ ...step, occurred_at: at + 60_000 })));
    // Any provider that the operator has may report a call, whoever carries the number.
    const named = { call_id: "call-3", phone_number: number, provider: "test" };
    const last = buildCallUpdate({ ...named, ...MISSED });
    await stack.publishCalls([last]);
    const events = await callsTo(number, 5);
    const common = { phone_number: number, from: "+12125550199", to: "+12125550177" };
    const published = events.map(({ type, payload }) => ({ type, payload }));
    expect(published.slice(0, 4)).toEqual([
      {
        type: "call.forwarded",
        payload: {
          call_id,
          ...common,
          occurred_at: new Date(at).toISOString(),
          forwarded_by: "platform",
          stage: "primary",
        },
      },
      {
        type: "call.forwarded",
        payload: {
          call_id,
          ...common,
          occurred_at: new Date(at + 1).toISOString(),
          forwarded_by: "platform",
          stage: "fallback",
        },
      },
      {
        type: "call.completed",
        payload: {
          call_id,
          ...common,
          occurred_at: new Date(at + 2).toISOString(),
          duration_seconds: 61,
          ended_by: "caller",
        },
      },
      {
        type: "call.missed",
        payload: {
          call_id: "call-2",
          ...common,
          occurred_at: new Date(at + 3).toISOString(),
          reason: "no_answer",
        },
      },
    ]);
    const order = await stack.database.query<{ porting_order_id: string }>(
      "select porting_order_id from orders.numbers where phone_number = $1",
      [number],
    );
    expect(events[0]?.["order_id"]).toBe(order.rows[0]?.porting_order_id);
  });

  it("is published to the account that has the number now", async () => {
    const [first, second] = [await stack.newOwner(), await stack.newOwner()];
    const number = await stack.newNumber(first);
    await stack.publishCalls([buildCallUpdate({ phone_number: number })]);
    await callsTo(number, 1, first);
    await stack.database.query(
      "update orders.numbers set status = 'ported_out' where phone_number = $1",
      [number],
    );
    await stack.database.query(
      `insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider,
        activated_at) values ($1, $2, 'active', 'US', 'local', 'sandbox', now())`,
      [second.accountId, number],
    );
    // The owner of a number is cached for a second.
    await eventually(async () => {
      await stack.publishCalls([buildCallUpdate({ phone_number: number, ...MISSED })]);
      const events = await stack.events(second);
      expect(events.length).toBeGreaterThan(0);
    });
    const types = (await stack.events(first)).map((event) => event["type"]);
    const late = types.filter((type) => type === "call.missed").length;
    await stack.publishCalls([buildCallUpdate({ phone_number: number, ...MISSED })]);
    await eventually(async () => expect((await stack.events(second)).length).toBeGreaterThan(1));
    expect(await callsTo(number, 1 + late, first)).toHaveLength(1 + late);
  });

  it("can be played at the desk", async () => {
    const number = await stack.newNumber(owner);
    const common = { phone_number: number, from: "+12125550199", to: "+12125550177" };
    const played = await stack.desk("POST", "/sandbox/calls", { ...common, ...ENDED });
    expect(played.status).toBe(202);
    const [event] = await callsTo(number, 1);
    expect(event?.["payload"]).toMatchObject({ call_id: textOf(played, "call_id"), ...common });
    for (const body of [
      common,
      { ...common, kind: "forwarded" },
      { ...common, kind: "completed", duration_seconds: 1 },
      { ...common, kind: "missed", reason: "asleep" },
      { ...common, ...ENDED, duration_seconds: -1 },
      { ...common, ...ENDED, phone_number: "2125550199" },
      { ...common, ...ENDED, call_id: "mine" },
    ]) {
      expect((await stack.desk("POST", "/sandbox/calls", body)).status).toBe(422);
    }
  });
});
