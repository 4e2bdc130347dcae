import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Order } from "../../../services/domain/order/rules/order.ts";
import { registerActiveNumbers } from "../../../services/domain/order/store/register-active-numbers.ts";
import { inTransaction } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import {
  openNumberStack,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";
import { buildOrder } from "../../support/orders/order-factory.ts";

let stack: NumberStack;
let owner: Owner;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
});

async function forwardingsOf(number: string) {
  const all = await stack.requests();
  return all
    .filter((one) => one.kind === "apply_forwarding" && one.phone_numbers?.[0] === number)
    .map(({ provider, forwarding }) => [provider, forwarding?.primary, forwarding?.fallback]);
}

/** Registers the number as active in a new order. */
async function activate(number: string, fields: Partial<Order>): Promise<void> {
  const now = new Date();
  const order = buildOrder({ id: newId(now), ...fields });
  const active = { effect: "number_active", phone_number: number, activated_at: now } as const;
  await inTransaction(stack.database, (tx) =>
    registerActiveNumbers({ ...stack, ...stack.product, tx }, { order, effects: [active] }, now),
  );
}

const TO = { primary: "+12125550177", fallback: "+12125550178" };

describe("a number", () => {
  it("is forwarded by the carrier that hosts it, until the forwarding is removed", async () => {
    const number = await stack.newNumber(owner);
    const set = await owner.api("PATCH", `/numbers/${number}`, { forwarding: TO });
    expect(set.status).toBe(200);
    expect(set.body).toEqual({
      phone_number: number,
      status: "active",
      country_code: "US",
      number_type: "local",
      provider: "sandbox",
      source: "ported",
      porting_order_id: expect.any(String),
      activated_at: expect.any(String),
      forwarding: { ...TO, handled_by: "carrier" },
      port_out_lock: false,
      port_out_pin_set: false,
      release: null,
      tags: [],
      connection_ref: null,
      messaging_ref: null,
      emergency_address_ref: null,
    });
    await eventually(async () => expect(await forwardingsOf(number)).toHaveLength(1));
    const only = { forwarding: { primary: TO.primary } };
    const again = await owner.api("PATCH", `/numbers/${number}`, only);
    expect(again.body?.["forwarding"]).toMatchObject({ primary: TO.primary, fallback: null });
    await eventually(async () => expect(await forwardingsOf(number)).toHaveLength(2));
    const gone = await owner.api("PATCH", `/numbers/${number}`, { forwarding: null });
    expect(gone.body?.["forwarding"]).toBeNull();
    await eventually(async () =>
      expect(await forwardingsOf(number)).toEqual([
        ["sandbox", TO.primary, TO.fallback],
        ["sandbox", TO.primary, null],
        ["sandbox", null, null],
      ]),
    );
    expect((await owner.api("GET", `/numbers/${number}`)).body).toEqual(gone.body);
  });

  it("changes only the given settings, and none where one is invalid", async () => {
    const number = await stack.newNumber(owner);
    const path = `/numbers/${number}`;
    const labels = { tags: ["sales"], connection_ref: "trunk-7" };
    await owner.api("PATCH", path, { port_out_lock: true, port_out_pin: "123456", ...labels });
    const before = await owner.api("PATCH", path, { messaging_ref: null });
    expect(before.body).toMatchObject({ ...labels, port_out_lock: true, messaging_ref: null });
    expect(before.body).toMatchObject({ port_out_lock: true, port_out_pin_set: true });
    for (const body of [
      { port_out_lock: false, port_out_pin: "123" },
      { port_out_lock: false, port_out_pin: "12345678901" },
      { port_out_lock: false, port_out_pin: "12a4" },
      { port_out_lock: "no" },
      { port_out_lock: false, forwarding: {} },
      { port_out_lock: false, forwarding: { primary: "12125550177" } },
      { port_out_lock: false, forwarding: { primary: number } },
      { port_out_lock: false, forwarding: { primary: TO.primary, fallback: number } },
      { port_out_lock: false, status: "active" },
    ]) {
      const answer = await owner.api("PATCH", path, body);
      expect([answer.status, answer.body?.["code"]]).toEqual([422, "validation_failed"]);
      expect(JSON.stringify(answer.body)).not.toContain("pattern");
    }
    expect((await owner.api("GET", path)).body).toEqual(before.body);
    const without = await owner.api("PATCH", path, { port_out_pin: null });
    expect(without.body).toMatchObject({ port_out_lock: true, port_out_pin_set: false });
  });

  it("can be changed only by its owner, and by no one once it has left", async () => {
    const number = await stack.newNumber(owner);
    const stranger = await stack.newOwner();
    const path = `/numbers/${number}`;
    expect((await stranger.api("PATCH", path, { port_out_lock: true })).status).toBe(404);
    await stack.database.query(
      "update orders.numbers set status = 'ported_out' where phone_number = $1",
      [number],
    );
    const answer = await owner.api("PATCH", path, { port_out_lock: true });
    expect([answer.status, answer.body?.["code"]]).toEqual([409, "invalid_state"]);
  });

  it("ends with its settings when it activates in another account, and starts without them when it returns", async () => {
    const number = await stack.newNumber(owner);
    const path = `/numbers/${number}`;
    const settings = { port_out_lock: true, port_out_pin: "123456", forwarding: TO };
    await owner.api("PATCH", path, settings);
    const other = await stack.newOwner();
    await activate(number, { account_id: other.accountId });
    const lost = await owner.api("GET", path);
    const bare = { forwarding: null, port_out_lock: false, port_out_pin_set: false };
    expect(lost.body).toMatchObject({ status: "ported_out", ...bare });
    const got = await other.api("GET", path);
    expect(got.body).toMatchObject({ status: "active", ...bare });
    await activate(number, { account_id: owner.accountId });
    const back = await owner.api("GET", path);
    expect(back.body).toMatchObject({ status: "active", ...bare });
    await eventually(async () => {
      const [left] = await stack.events(owner, "&type=number.ported_out");
      expect(left?.["payload"]).toMatchObject({ phone_number: number, port_out_id: null });
    });
  });

  it("is no longer forwarded for the account before, where it stays with its carrier", async () => {
    const number = await stack.newNumber(owner);
    await owner.api("PATCH", `/numbers/${number}`, { forwarding: TO });
    // A request has the forwarding of the time when it is made.
    await eventually(async () => expect(await forwardingsOf(number)).toHaveLength(1));
    const other = await stack.newOwner();
    await activate(number, { account_id: other.accountId, provider: "platform" });
    const got = await other.api("GET", `/numbers/${number}`);
    expect(got.body).toMatchObject({ provider: "sandbox", forwarding: null });
    await eventually(async () =>
      expect(await forwardingsOf(number)).toEqual([
        ["sandbox", TO.primary, TO.fallback],
        ["sandbox", null, null],
      ]),
    );
  });

  it("is corrected at the desk: published, forwarded again at the right carrier, audited", async () => {
    const [set, bare] = [await stack.newNumber(owner), await stack.newNumber(owner)];
    await owner.api("PATCH", `/numbers/${set}`, { forwarding: TO });
    for (const number of [set, bare]) {
      const moved = await stack.desk("POST", `/numbers/${number}/provider`, { provider: "manual" });
      expect(moved.body).toMatchObject({ provider: "manual", account_id: owner.accountId });
    }
    const same = await stack.desk("POST", `/numbers/${set}/provider`, { provider: "manual" });
    expect(same.status).toBe(200);
    const payloads = await eventually(async () => {
      const events = await stack.events(owner, "&type=number.provider_changed");
      expect(events).toHaveLength(2);
      return events.map((event) => event["payload"]);
    });
    const changed = { previous_provider: "sandbox", new_provider: "manual" };
    expect(payloads).toEqual([
      { phone_number: set, ...changed, forwarding_reapplied: true },
      { phone_number: bare, ...changed, forwarding_reapplied: false },
    ]);
    await eventually(async () => {
      const last = (await forwardingsOf(set)).at(-1);
      expect(last).toEqual(["manual", TO.primary, TO.fallback]);
    });
    const audit = dataOf(await stack.desk("GET", `/audit?account_id=${owner.accountId}&limit=2`));
    expect(audit.map((entry) => entry["action"])).toEqual([
      "number.provider_changed",
      "number.provider_changed",
    ]);
    const path = `/numbers?phone_number=${encodeURIComponent(set)}`;
    expect(dataOf(await stack.desk("GET", path))).toMatchObject([
      { phone_number: set, provider: "manual", forwarding: { ...TO, handled_by: "platform" } },
    ]);
    const nobodys = `/numbers/${stack.product.newNumber()}/provider`;
    const unknown = await stack.desk("POST", nobodys, { provider: "manual" });
    expect(unknown.status).toBe(404);
  });

  it("is forwarded by the platform where its carrier's integration takes no forwarding", async () => {
    const number = await stack.newNumber(owner);
    await owner.api("PATCH", `/numbers/${number}`, { forwarding: TO });
    // A request to a carrier that no longer hosts the number would not be sent.
    await eventually(async () => expect(await forwardingsOf(number)).toHaveLength(1));
    await stack.desk("POST", `/numbers/${number}/provider`, { provider: "gb-gateway" });
    const moved = await owner.api("GET", `/numbers/${number}`);
    expect(moved.body?.["forwarding"]).toEqual({ ...TO, handled_by: "platform" });
    const only = { forwarding: { primary: TO.primary } };
    const set = await owner.api("PATCH", `/numbers/${number}`, only);
    const alone = { primary: TO.primary, fallback: null };
    expect(set.body?.["forwarding"]).toEqual({ ...alone, handled_by: "platform" });
    await eventually(async () => {
      const events = await stack.events(owner, "&type=number.provider_changed");
      expect(events.map((event) => event["payload"])).toContainEqual({
        phone_number: number,
        previous_provider: "sandbox",
        new_provider: "gb-gateway",
        forwarding_reapplied: false,
      });
    });
    await stack.desk("POST", `/numbers/${number}/provider`, { provider: "test" });
    await eventually(async () =>
      expect((await forwardingsOf(number)).map(([provider]) => provider)).toEqual([
        "sandbox",
        "test",
      ]),
    );
    const back = await owner.api("GET", `/numbers/${number}`);
    expect(back.body?.["forwarding"]).toEqual({ ...alone, handled_by: "carrier" });
  });

  it("takes only a provider that there is", async () => {
    const number = await stack.newNumber(owner);
    for (const provider of ["no-such", "Manual", "", "m".repeat(65)]) {
      const refused = await stack.desk("POST", `/numbers/${number}/provider`, { provider });
      expect([refused.status, refused.body?.["code"]]).toEqual([422, "validation_failed"]);
    }
    const refused = await stack.desk("POST", `/numbers/${number}/provider`, {
      provider: "no-such",
    });
    expect(refused.body?.["errors"]).toMatchObject([
      { pointer: "#/provider", code: "unknown_provider" },
    ]);
    const nobodys = `/numbers/${stack.product.newNumber()}/provider`;
    const nowhere = await stack.desk("POST", nobodys, { provider: "no" });
    expect(nowhere.status).toBe(404);
    expect((await owner.api("GET", `/numbers/${number}`)).body?.["provider"]).toBe("sandbox");
  });

  it("pages at the desk over all accounts", async () => {
    const other = await stack.newOwner();
    const made = [await stack.newNumber(other), await stack.newNumber(other)];
    const path = `/numbers?account_id=${other.accountId}&limit=1`;
    const first = await stack.desk("GET", path);
    expect(dataOf(first)[0]?.["phone_number"]).toBe(made[1]);
    const [, next = ""] = /<([^>]+)>/.exec(first.headers.get("link") ?? "") ?? [];
    const cursor = new URL(next, stack.product.deskUrl).searchParams.get("starting_after") ?? "";
    expect(cursor).toBe(made[1]);
    const rest = await stack.desk("GET", `${path}&starting_after=${encodeURIComponent(cursor)}`);
    expect(dataOf(rest).map((one) => one["phone_number"])).toEqual([made[0]]);
  });
});
