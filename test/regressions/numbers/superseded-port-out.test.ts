import { expect, it } from "@jest/globals";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { openNumberStack, portOutOf } from "../../support/orders/number-stack.ts";

/**
 * One of an order's numbers left its holder after the order was made, so that the order was rejected while the holder
 * agreed to the port-out of the other. The corrected order was refused for ever: that number was in an open port-out.
 */
it("an order that is corrected withdraws the port-out of its earlier version", async () => {
  const stack = await openNumberStack();
  const [holder, taker] = [await stack.newOwner(), await stack.newOwner()];
  const [kept, left] = [await stack.newNumber(holder), await stack.newNumber(holder)];
  const made = await taker.api("POST", "/porting_orders", { phone_numbers: [kept, left] });
  const id = String(dataOf(made)[0]?.["id"]);
  const gone = "update orders.numbers set status = 'ported_out' where phone_number = $1";
  await stack.database.query(gone, [left]);
  const access = { ...stack.product, apiKey: taker.key };
  const send = async (): Promise<void> => {
    await submitOrder(access, id);
    await confirmAtDesk(access, id);
  };
  await fulfilOrder(access, id);
  await send();
  await eventually(async () => {
    const order = await taker.api("GET", `/porting_orders/${id}`);
    expect(order.body?.["exceptions"]).toMatchObject([{ code: "phone_number_mismatch" }]);
  });
  const agreed = await portOutOf(holder, kept, "decision_required");
  const path = `/port_outs/${String(agreed["id"])}`;
  expect((await holder.api("POST", `${path}/approve`, {})).status).toBe(200);

  const url = `${access.apiUrl}/v2/porting_orders/${id}`;
  const body = { remove_phone_numbers: [left] };
  expect((await call(url, { method: "PATCH", key: taker.key, body })).status).toBe(200);
  await send();
  const asked = await portOutOf(holder, kept, "decision_required");
  expect(asked["id"]).not.toBe(agreed["id"]);
  expect((await holder.api("GET", path)).body?.["status"]).toBe("cancelled");
  expect((await taker.api("GET", `/porting_orders/${id}`)).body?.["status"]).toBe("in_process");
});
