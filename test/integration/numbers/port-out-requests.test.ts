import { beforeAll, describe, expect, it } from "@jest/globals";
import { newIds } from "../../../services/platform/ids.ts";
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
import { readTopic } from "../../support/stack/topic-reader.ts";

/** Long enough not to occur in an id by chance. */
const PIN = "9081726354";
/** Begins the references of this file's port-outs. */
const FILE = crypto.randomUUID();

let stack: NumberStack;
let owner: Owner;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
});

describe("a port-out", () => {
  it("is rejected by the system for a lock, a missing or a wrong PIN, and passes with the right one", async () => {
    const [locked, guarded] = [await stack.newNumber(owner), await stack.newNumber(owner)];
    await owner.api("PATCH", `/numbers/${locked}`, { port_out_lock: true });
    const set = await owner.api("PATCH", `/numbers/${guarded}`, { port_out_pin: PIN });
    expect(set.body).toMatchObject({ port_out_pin_set: true });
    expect(JSON.stringify(set.body)).not.toContain(PIN);
    const cases = [
      [`${FILE}/locked`, locked, PIN, "port_locked"],
      [`${FILE}/missing`, guarded, null, "pin_missing"],
      [`${FILE}/wrong`, guarded, "908172635", "pin_invalid"],
    ] as const;
    for (const [ref, number, attempted_pin, code] of cases) {
      const asked = { phone_numbers: [number], port_out_ref: ref, attempted_pin };
      await stack.publishPortOut(buildPortOutUpdate(asked));
      expect((await answerOf(stack, ref))?.port_out).toMatchObject({ approved: false, code });
    }
    const rejected = await portOutOf(owner, locked, "rejected");
    expect(rejected).toMatchObject({ decision: { by: "system", code: "port_locked" } });
    const asked = { phone_numbers: [guarded], port_out_ref: `${FILE}/right`, attempted_pin: PIN };
    await stack.publishPortOut(buildPortOutUpdate(asked));
    await portOutOf(owner, guarded, "decision_required");
    for (const topic of ["porting.carrier-results", "porting.events", "carriers.requests"]) {
      const records = await readTopic(stack.kafka, stack.product.topicPrefix + topic);
      expect(records.some(({ value }) => value?.includes(PIN) === true)).toBe(false);
    }
  });

  it("of no account is shown to the desk, whoever sends the decision", async () => {
    const phone_numbers = [stack.product.newNumber()];
    // The shipped file of this provider lists no port_out_decision.
    for (const provider of ["sandbox", "gb-gateway"]) {
      const port_out_ref = `${FILE}/unheld/${provider}`;
      await stack.publishPortOut(buildPortOutUpdate({ provider, port_out_ref, phone_numbers }));
    }
    await answerOf(stack, `${FILE}/unheld/sandbox`);
    const path = `/port_outs?phone_number=${encodeURIComponent(phone_numbers[0] ?? "")}`;
    const listed = await eventually(async () => {
      const found = dataOf(await stack.desk("GET", path));
      expect(found).toHaveLength(2);
      return found;
    });
    const refs = listed.map((one) => one["port_out_ref"]);
    const asked = ["gb-gateway", "sandbox"].map((provider) => `${FILE}/unheld/${provider}`);
    expect(refs.toSorted()).toEqual(asked);
    expect(listed).toMatchObject(
      listed.map(() => ({
        phone_numbers,
        account: null,
        account_id: null,
        status: "rejected",
        decision: { by: "system", code: "number_not_on_account" },
      })),
    );
    const id = String(listed[0]?.["id"]);
    expect((await stack.desk("GET", `/port_outs/${id}`)).body).toEqual(listed[0]);
    expect(dataOf(await stack.desk("GET", `${path}&starting_after=${id}`))).toEqual(
      listed.slice(1),
    );
    expect((await stack.desk("POST", `/port_outs/${id}/approve`, {})).status).toBe(404);
    expect(dataOf(await owner.api("GET", path))).toEqual([]);
  });

  it("for numbers of several accounts and unknown ones gets one record and one answer for each", async () => {
    const other = await stack.newOwner();
    const [mine, theirs] = [await stack.newNumber(owner), await stack.newNumber(other)];
    await other.api("PATCH", `/numbers/${theirs}`, { port_out_lock: true });
    const ref = `${FILE}/several`;
    const nobodys = stack.product.newNumber();
    const phone_numbers = [mine, nobodys, theirs];
    const asked = buildPortOutUpdate({ phone_numbers, port_out_ref: ref });
    await stack.publishPortOut(asked);
    expect(await portOutOf(owner, mine, "decision_required")).toMatchObject({
      phone_numbers: [mine],
    });
    expect(await portOutOf(other, theirs, "rejected")).toMatchObject({ phone_numbers: [theirs] });
    const answers = await eventually(async () => {
      const found = await answersOf(stack, ref);
      expect(found).toHaveLength(2);
      return found;
    });
    expect(answers.map((one) => [one.phone_numbers, one.port_out?.code])).toEqual(
      expect.arrayContaining([
        [[nobodys], "number_not_on_account"],
        [[theirs], "port_locked"],
      ]),
    );
    const accounts = [mine, theirs].map(async (number) => {
      const path = `/port_outs?phone_number=${encodeURIComponent(number)}`;
      return dataOf(await stack.desk("GET", path)).map((one) => one["port_out_ref"]);
    });
    expect(await Promise.all(accounts)).toEqual([[ref], [ref]]);
    await stack.publishPortOut({
      ...asked,
      update_id: `${FILE}/several/cancel`,
      kind: "cancelled",
    });
    await portOutOf(owner, mine, "cancelled");
    await portOutOf(other, theirs, "rejected");
  });

  it("for a number of another open one is rejected; a repeated request is answered again", async () => {
    const number = await stack.newNumber(owner);
    const first = buildPortOutUpdate({ phone_numbers: [number], port_out_ref: `${FILE}/first` });
    await stack.publishPortOut(first);
    const waiting = await portOutOf(owner, number, "decision_required");
    await stack.publishPortOut(
      buildPortOutUpdate({ phone_numbers: [number], port_out_ref: `${FILE}/second` }),
    );
    expect((await answerOf(stack, `${FILE}/second`))?.port_out?.code).toBe("invalid_request");
    const reject = { code: "subscriber_mismatch", reason: "Not ours to give." };
    const rejected = await owner.api("POST", `/port_outs/${String(waiting["id"])}/reject`, reject);
    expect(rejected.body).toMatchObject({
      status: "rejected",
      decision: { by: "customer", ...reject },
    });
    await stack.publishPortOut({ ...first, update_id: `${FILE}/first/again` });
    const answers = await eventually(async () => {
      const found = await answersOf(stack, `${FILE}/first`);
      expect(found).toHaveLength(2);
      return found;
    });
    expect(new Set(answers.map((one) => one.request_id)).size).toBe(1);
    expect(answers[1]?.port_out).toMatchObject({ approved: false, ...reject });
  });

  // (docs/contract/messages.md, What integrations publish)
  it("is answered to the provider that asked, whatever provider hosts the number", async () => {
    const number = await stack.newNumber(owner);
    const asked = {
      provider: "us-lsr",
      phone_numbers: [number],
      port_out_ref: `${FILE}/elsewhere`,
    };
    await stack.publishPortOut(buildPortOutUpdate(asked));
    const { id } = await portOutOf(owner, number, "decision_required");
    expect((await owner.api("GET", `/numbers/${number}`)).body?.["provider"]).toBe("sandbox");
    await owner.api("POST", `/port_outs/${String(id)}/approve`, {});
    expect((await answerOf(stack, `${FILE}/elsewhere`))?.provider).toBe("us-lsr");
  });

  // (docs/contract/customer-api.md, Numbers and port-outs)
  it("for a number that has left is answered as for one of no account, on record at the desk alone", async () => {
    const number = await stack.newNumber(owner);
    const gone = "update orders.numbers set status = 'ported_out' where phone_number = $1";
    await stack.database.query(gone, [number]);
    const asked = { phone_numbers: [number], port_out_ref: `${FILE}/gone` };
    await stack.publishPortOut(buildPortOutUpdate(asked));
    expect((await answerOf(stack, `${FILE}/gone`))?.port_out).toMatchObject({
      approved: false,
      code: "number_not_on_account",
    });
    const path = `/port_outs?phone_number=${encodeURIComponent(number)}`;
    expect(dataOf(await owner.api("GET", path))).toEqual([]);
    const [record, ...others] = dataOf(await stack.desk("GET", path));
    expect(record).toMatchObject({ account: null, phone_numbers: [number], status: "rejected" });
    expect(others).toEqual([]);
  });

  it("keeps the numbers of its reference's first request: another number is dead-lettered, not lost", async () => {
    const [number, other] = [await stack.newNumber(owner), await stack.newNumber(owner)];
    const asked = buildPortOutUpdate({ phone_numbers: [number] });
    await stack.publishPortOut(asked);
    await portOutOf(owner, number, "decision_required");
    const more = { update_id: crypto.randomUUID(), phone_numbers: [number, other] };
    await stack.publishPortOut({ ...asked, ...more });
    await eventually(async () => {
      const letters = await stack.deadLetters("carriers.port-outs", number);
      expect(letters.map((one) => [one.error_code, one.error_detail])).toContainEqual([
        "rule_broken",
        "#/phone_numbers/1: The number is not in the port-out.",
      ]);
    });
    const again = buildPortOutUpdate({ phone_numbers: [other] });
    await stack.publishPortOut(again);
    await portOutOf(owner, other, "decision_required");
  });
});

describe("a list of port-outs of many numbers", () => {
  const MANY = 70;
  const INSERT = `with made as (
      insert into orders.port_outs (id, account_id, provider, port_out_ref, status, gaining_carrier, requested_foc,
        provider_status, created_at, updated_at)
      select u.id, $1, 'sandbox', u.id::text, 'cancelled', 'Elsewhere', '2026-12-01T10:00:00Z', '', now(), now()
      from unnest($2::uuid[]) u (id) returning id)
    insert into orders.port_out_numbers (port_out_id, position, account_id, phone_number, open)
    select made.id, n, $1, '+1212' || (5550000 + n), false from made, generate_series(1, 1000) n`;

  it("ends a page at a mebibyte, at the desk too, and reaches every one once", async () => {
    const holder = await stack.newOwner();
    const ids = newIds(new Date(), MANY);
    await stack.database.query(INSERT, [holder.accountId, ids]);
    const mine = (query: string) => holder.api("GET", `/port_outs?limit=250&order=asc${query}`);
    const first = await mine("");
    const listed = dataOf(first).map((one) => String(one["id"]));
    expect([listed.length, first.body?.["has_more"]]).toEqual([64, true]);
    const rest = await mine(`&starting_after=${String(listed.at(-1))}`);
    expect(rest.body?.["has_more"]).toBe(false);
    expect([...listed, ...dataOf(rest).map((one) => one["id"])]).toEqual(ids);
    const atDesk = await stack.desk("GET", `/port_outs?limit=250&account_id=${holder.accountId}`);
    expect([dataOf(atDesk).length, atDesk.body?.["has_more"]]).toEqual([64, true]);
  });
});
