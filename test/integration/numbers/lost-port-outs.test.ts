import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import {
  buildPortOutUpdate,
  openNumberStack,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";

let stack: NumberStack;
let owner: Owner;
let taker: Owner;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
  taker = await stack.newOwner();
});

/** The taker's order for a number that nobody here had when it was created; at the carrier by now. */
async function sentOrder(number: string): Promise<string> {
  const body = { phone_numbers: [number], losing_carrier: "manual" };
  const made = await taker.api("POST", "/porting_orders", body);
  const id = String(dataOf(made)[0]?.["id"]);
  const access = { ...stack.product, apiKey: taker.key };
  await fulfilOrder(access, id);
  await submitOrder(access, id);
  await confirmAtDesk(access, id);
  await eventually(async () => {
    expect((await taker.api("GET", `/porting_orders/${id}`)).body?.["status"]).toBe("submitted");
  });
  return id;
}

async function becomesOwners(number: string): Promise<void> {
  await stack.database.query(
    `insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider,
      porting_order_id, activated_at) values ($1, $2, 'active', 'US', 'local', 'sandbox', $3, now())`,
    [owner.accountId, number, crypto.randomUUID()],
  );
}

async function ownersPortOut(number: string, status: string): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const path = `/port_outs?phone_number=${encodeURIComponent(number)}`;
    const [found] = dataOf(await owner.api("GET", path));
    expect(found?.["status"]).toBe(status);
    return found ?? {};
  });
}

async function takes(orderId: string, number: string): Promise<void> {
  const update = { kind: "number_active", raw_status: "PORTED", phone_numbers: [number] };
  const path = `/orders/${orderId}/carrier_updates`;
  expect((await stack.desk("POST", path, update)).status).toBe(202);
  await eventually(async () => {
    expect((await taker.api("GET", `/numbers/${number}`)).body?.["status"]).toBe("active");
  });
}

describe("a port-out whose number another account has meanwhile", () => {
  it("is closed as number_not_on_account, and the carrier is answered", async () => {
    const [lost, kept] = [stack.product.newNumber(), await stack.newNumber(owner)];
    const orderId = await sentOrder(lost);
    await becomesOwners(lost);
    const asked = buildPortOutUpdate({ phone_numbers: [lost, kept] });
    await stack.publishPortOut(asked);
    await ownersPortOut(lost, "decision_required");

    await takes(orderId, lost);
    const closed = await ownersPortOut(lost, "rejected");
    expect(closed).toMatchObject({
      decision: { by: "system", code: "number_not_on_account", reason: null },
      decision_deadline: null,
    });
    const path = `/port_outs/${String(closed["id"])}`;
    const approved = await owner.api("POST", `${path}/approve`, {});
    expect([approved.status, approved.body?.["code"]]).toEqual([409, "invalid_state"]);
    await eventually(async () => {
      const answers = (await stack.requests()).filter(
        (request) => request.port_out?.port_out_ref === asked.port_out_ref,
      );
      expect(answers).toMatchObject([
        { port_out: { approved: false, code: "number_not_on_account" } },
      ]);
    });
    await eventually(async () => {
      const told = (await stack.events(owner, "&type=port_out.status_changed")).map(
        ({ payload }) => (payload as Record<string, unknown>)["new_status"],
      );
      expect(told).toEqual(["decision_required", "rejected"]);
    });
    const { rows } = await stack.database.query(
      "select from orders.deadlines where subject_id = $1",
      [closed["id"]],
    );
    expect(rows).toEqual([]);
    // The other number is still there and may be asked for again.
    expect((await owner.api("GET", `/numbers/${kept}`)).body?.["status"]).toBe("active");
    const again = buildPortOutUpdate({ phone_numbers: [kept] });
    await stack.publishPortOut(again);
    await ownersPortOut(kept, "decision_required");
  });

  it("stays approved where the account had agreed: it may be how the number leaves", async () => {
    const number = stack.product.newNumber();
    const orderId = await sentOrder(number);
    await becomesOwners(number);
    await stack.publishPortOut(buildPortOutUpdate({ phone_numbers: [number] }));
    const waiting = await ownersPortOut(number, "decision_required");
    await owner.api("POST", `/port_outs/${String(waiting["id"])}/approve`, {});
    await takes(orderId, number);
    expect(await ownersPortOut(number, "approved")).toMatchObject({ decision: { code: null } });
  });
});
