import { beforeAll, describe, expect, it } from "@jest/globals";
import type { CallUpdate } from "../../../services/messages/generated/call-update.ts";
import { registerActiveNumbers } from "../../../services/domain/order/store/register-active-numbers.ts";
import { inTransaction } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { buildOrder } from "../../support/orders/order-factory.ts";
import {
  buildPortOutUpdate,
  openNumberStack,
  portOutOf,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";
import { buildCallUpdate } from "../../support/carriers/call-update-factory.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The earliest time that a call may have. */
const LONG_AGO = Date.UTC(2020, 0, 1);

let stack: NumberStack;
let owner: Owner;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
});

/** The times of the calls to a number that were published to an account. */
async function publishedTimes(whose: Owner, number: string): Promise<unknown[]> {
  const events = await stack.events(whose);
  return events
    .filter(({ type }) => String(type).startsWith("call."))
    .map(({ payload }) => payload as Record<string, unknown>)
    .filter((payload) => payload["phone_number"] === number)
    .map((payload) => payload["occurred_at"]);
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** The number leaves by a port-out that its owner approves. */
async function portOut(number: string): Promise<void> {
  const asked = buildPortOutUpdate({ phone_numbers: [number] });
  await stack.publishPortOut(asked);
  const { id } = await portOutOf(owner, number, "decision_required");
  expect((await owner.api("POST", `/port_outs/${String(id)}/approve`, {})).status).toBe(200);
  const kind = "completed";
  await stack.publishPortOut({ ...asked, update_id: crypto.randomUUID(), kind });
  await portOutOf(owner, number, "ported_out");
}

describe("a call to a number that leaves", () => {
  it("is published to the account that had the number at the time, although it is read after the number left", async () => {
    const number = await stack.newNumber(owner);
    const at = Date.now();
    await portOut(number);
    const before = buildCallUpdate({ phone_number: number, occurred_at: at });
    await stack.publishCalls([before]);
    await eventually(async () => expect(await publishedTimes(owner, number)).toEqual([iso(at)]));

    const callAt = (occurred_at: number): CallUpdate =>
      buildCallUpdate({ phone_number: number, occurred_at });
    const unowned = [Date.now() + 10 * MINUTE_MS, at - 30 * DAY_MS, LONG_AGO].map(callAt);
    await stack.publishCalls([...unowned, before, callAt(at + 1)]);
    await eventually(async () =>
      expect(await publishedTimes(owner, number)).toEqual([iso(at), iso(at + 1)]),
    );
    const letters = await stack.deadLetters("carriers.calls", number);
    // The first lies ahead, which no call does.
    const codes = ["rule_broken", "unknown_number", "unknown_number"];
    expect(letters.map(({ error_code }) => error_code)).toEqual(codes);
  });

  it("is published to the account that lost the number, and the next ones to the account that gained it", async () => {
    const number = await stack.newNumber(owner);
    const other = await stack.newOwner();
    const before = Date.now();
    const now = new Date(before + 1);
    const order = buildOrder({ id: newId(now), account_id: other.accountId });
    const active = { effect: "number_active", phone_number: number, activated_at: now } as const;
    await inTransaction(stack.database, (tx) =>
      registerActiveNumbers({ ...stack, ...stack.product, tx }, { order, effects: [active] }, now),
    );
    const times = [before, now.getTime(), now.getTime() + MINUTE_MS, LONG_AGO];
    await stack.publishCalls(
      times.map((occurred_at) => buildCallUpdate({ phone_number: number, occurred_at })),
    );
    await eventually(async () => {
      expect(await publishedTimes(other, number)).toEqual(times.slice(1).map(iso));
    });
    expect(await publishedTimes(owner, number)).toEqual([iso(before)]);
  });

  it("is not published where the number left more than a week ago", async () => {
    const number = await stack.newNumber(owner);
    const at = Date.now() - 8 * DAY_MS;
    await stack.database.query(
      `with gone as (
          update orders.numbers set status = 'ported_out' where phone_number = $1 returning *
        )
        insert into orders.former_owners (phone_number, account_id, since, until)
        select phone_number, account_id, $2, $3 from gone`,
      [number, new Date(at - DAY_MS), new Date(at)],
    );
    const call = buildCallUpdate({ phone_number: number, occurred_at: at - 1 });
    await stack.publishCalls([call]);
    await eventually(async () => {
      const letters = await stack.deadLetters("carriers.calls", number);
      const values = letters.map(({ value }) => value?.toString() ?? "");
      expect(values.filter((value) => value.includes(call.call_id))).toHaveLength(1);
    });
    expect(await publishedTimes(owner, number)).toEqual([]);
  });
});

describe("a call to a number that is not active yet", () => {
  it("is dead-lettered, and published when it is replayed after the number's activation", async () => {
    const order = buildOrder({ id: newId(new Date()), account_id: owner.accountId });
    const number = stack.product.newNumber();
    const at = Date.now();
    const call = buildCallUpdate({ phone_number: number, occurred_at: at });
    await stack.publishCalls([call]);
    const id = await eventually(async () => {
      const key = encodeURIComponent(number);
      const path = `/dead_letters?key=${key}&error_code=unknown_number&state=parked`;
      const letters = dataOf(await stack.desk("GET", path));
      const letter = letters.find(({ value }) => JSON.stringify(value).includes(call.call_id));
      expect(letter).toBeDefined();
      return String(letter?.["id"]);
    });
    const now = new Date();
    const active = { effect: "number_active", phone_number: number, activated_at: now } as const;
    await inTransaction(stack.database, (tx) =>
      registerActiveNumbers({ ...stack, ...stack.product, tx }, { order, effects: [active] }, now),
    );
    expect((await stack.desk("POST", `/dead_letters/${id}/replay`, {})).status).toBe(200);
    await eventually(async () => expect(await publishedTimes(owner, number)).toEqual([iso(at)]));
  });
});
