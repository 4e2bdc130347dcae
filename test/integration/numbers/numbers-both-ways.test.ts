/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import {
  answerOf,
  answersOf,
  buildPortOutUpdate,
  openNumberStack,
  portOutOf,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";

let stack: NumberStack;
let owner: Owner;
let base: readonly string[];

const MOST = 1_000;
/** More than a file has by its counter: a block of an area code that no other test uses, new at each run on a kept stack. */
const FIRST = 2_000_000 + 10 * MOST * Math.floor(Math.random() * 700);
const NOTE = { reason: "snapback", note: "Ported by mistake." };

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
  base = Array.from({ length: 10 * MOST }, (_, n) => `+1646${FIRST + n}`);
});

function importAll(numbers: readonly string[], fields: object = {}) {
  const given = numbers.map((phone_number) => ({ phone_number, provider: "sandbox" }));
  return stack.desk("POST", "/numbers", { account_id: owner.accountId, numbers: given, ...fields });
}

const release = (number: string, fields: object = {}) =>
  stack.desk("POST", `/numbers/${encodeURIComponent(number)}/release`, { ...NOTE, ...fields });

async function ownNumber(number: string) {
  return (await owner.api("GET", `/numbers/${encodeURIComponent(number)}`)).body;
}

// (trade: numbers from elsewhere, and back)
describe("an imported base of 10,000 numbers", () => {
  it("is there after ten calls in seconds, and the same again changes nothing", async () => {
    const [first = "", second = ""] = base;
    const dry = await importAll([first, "+1212"], { dry_run: true });
    expect([dry.status, dry.body]).toMatchObject([
      200,
      { accepted: 1, errors: [{ pointer: "#/numbers/1/phone_number", code: "invalid_number" }] },
    ]);
    expect((await owner.api("GET", `/numbers/${encodeURIComponent(first)}`)).status).toBe(404);
    const began = performance.now();
    for (let n = 0; n < base.length; n += MOST) {
      const { status, body } = await importAll(base.slice(n, n + MOST));
      expect([status, body]).toEqual([202, { accepted: MOST, errors: [] }]);
    }
    expect(performance.now() - began).toBeLessThan(20_000);
    const of = async (source: string) =>
      dataOf(await stack.desk("GET", `/numbers?account_id=${owner.accountId}&source=${source}`));
    expect([(await of("imported")).length > 0, await of("ported")]).toEqual([true, []]);
    const before = await ownNumber(second);
    expect(before).toMatchObject({
      ...{ status: "active", source: "imported", provider: "sandbox", porting_order_id: null },
      ...{ country_code: "US", number_type: "local", release: null },
    });
    const again = await importAll([second, first]);
    expect(again.body).toEqual({ accepted: 2, errors: [] });
    expect(await ownNumber(second)).toEqual(before);
    const { rows } = await stack.database.query<{ count: string }>(
      "select count(*) from orders.numbers where account_id = $1 and status = 'active'",
      [owner.accountId],
    );
    expect(Number(rows[0]?.count)).toBe(base.length);
    expect(await stack.events(owner)).toEqual([]);
    const found = await stack.desk("GET", `/numbers?q=${first.slice(-7)}`);
    expect(dataOf(found)).toMatchObject([{ phone_number: first, account_id: owner.accountId }]);
  });

  it("is not another account's, nor taken from a live order", async () => {
    const other = await stack.newOwner();
    const ordered = stack.product.newNumber();
    expect((await other.api("POST", "/porting_orders", { phone_numbers: [ordered] })).status).toBe(
      201,
    );
    const { accountId: account_id } = other;
    const { body } = await importAll([base[0] ?? "", ordered], { account_id });
    expect(body).toMatchObject({
      accepted: 0,
      errors: [{ code: "already_active" }, { code: "number_in_active_order" }],
    });
    const { status } = await importAll([ordered], { account_id: crypto.randomUUID() });
    expect(status).toBe(422);
  });

  it("has one ported out, entered at the desk with PON and account number, by which it is decided", async () => {
    const [, number = ""] = base;
    const port_out_ref = crypto.randomUUID();
    const requester = { pon: "PON-4711", account_number: "8150210", subscriber_name: "Acme LLC" };
    const asked = {
      ...{ port_out_ref, phone_numbers: [number], gaining_carrier: "Other Telecom", requester },
      requested_foc: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    };
    expect((await stack.desk("POST", "/port_outs", asked)).status).toBe(202);
    const waiting = await portOutOf(owner, number, "decision_required");
    expect(waiting["requester"]).toMatchObject({
      ...{ pon: "PON-4711", account_number: "****0210", subscriber_name: "Acme LLC" },
      postal_code: null,
    });
    const id = String(waiting["id"]);
    const codes = dataOf(await owner.api("GET", `/port_outs/${id}/rejection_codes`));
    const allowed = codes.filter((one) => one["allowed"] === true).map((one) => one["code"]);
    expect(allowed).not.toContain("port_locked");
    for (const code of ["port_locked", "pin_invalid"]) {
      const refused = await owner.api("POST", `/port_outs/${id}/reject`, { code });
      expect([refused.status, refused.body]).toMatchObject([
        422,
        { errors: [{ pointer: "#/code", code: "code_not_eligible" }] },
      ]);
    }
    const others = { ...asked, phone_numbers: base.slice(2, 3) };
    expect((await stack.desk("POST", "/port_outs", others)).status).toBe(409);
    expect((await owner.api("POST", `/port_outs/${id}/approve`)).status).toBe(200);
    expect((await stack.desk("POST", `/port_outs/${id}/complete`)).status).toBe(202);
    await portOutOf(owner, number, "ported_out");
    expect((await ownNumber(number))?.["status"]).toBe("ported_out");
    expect((await stack.desk("POST", `/port_outs/${id}/cancel`)).status).toBe(409);
    const { rows } = await stack.database.query(
      `select 1 from messaging.outbox where position($1::bytea in value) > 0
        union all select 1 from carriers.port_out_requests where position($1::bytea in requester) > 0`,
      [Buffer.from("8150210")],
    );
    expect(rows).toEqual([]);
  });

  it("has one snapped back: its open port-outs are refused, an approved one too, and it may come again", async () => {
    const [, , number = ""] = base;
    const asked = buildPortOutUpdate({ phone_numbers: [number] });
    await stack.publishPortOut(asked);
    const { id } = await portOutOf(owner, number, "decision_required");
    await owner.api("POST", `/port_outs/${String(id)}/approve`);
    expect((await answerOf(stack, asked.port_out_ref))?.port_out?.approved).toBe(true);
    expect((await release(number, { at: "2020-01-01T00:00:00Z" })).status).toBe(422);
    const released = await release(number);
    expect([released.status, released.body]).toMatchObject([
      200,
      { status: "released", release: { reason: "snapback" }, account_id: owner.accountId },
    ]);
    expect(await ownNumber(number)).toMatchObject({
      ...{ status: "released", port_out_lock: false },
      release: { reason: "snapback", at: expect.any(String) },
    });
    const again = await release(number);
    expect([again.status, again.body]).toMatchObject([
      409,
      { code: "invalid_state", detail: expect.stringContaining("released (snapback)") },
    ]);
    expect((await release("+16465550100")).status).toBe(404);
    expect(await portOutOf(owner, number, "rejected")).toMatchObject({
      decision: { by: "system", code: "number_not_active" },
    });
    await eventually(async () => {
      const answers = await answersOf(stack, asked.port_out_ref);
      expect(answers.map((one) => one.port_out?.code)).toEqual([null, "number_not_active"]);
      expect(new Set(answers.map((one) => one.request_id)).size).toBe(2);
    });
    await eventually(async () => {
      const events = await stack.events(owner, "&type=number.ported_out");
      const payloads = events.map((one) => one["payload"]);
      expect(payloads).toContainEqual({
        ...{ phone_number: number, port_out_id: null, gaining_carrier: null },
        ported_out_at: expect.any(String),
      });
    });
    const left = await owner.api("GET", "/numbers?status=released");
    expect(dataOf(left).map((one) => one["phone_number"])).toEqual([number]);
    expect((await importAll([number])).body).toEqual({ accepted: 1, errors: [] });
    expect(await ownNumber(number)).toMatchObject({ status: "active", release: null });
  });
});
