import { dataOf, textOf } from "../http/call.ts";
import { eventually } from "../eventually.ts";
import { confirmAtDesk } from "../orders/fulfil-order.ts";
import type { ConsoleDesk } from "./console-desk.ts";

/** An order that was sent to the carrier and waits for what it says; returns its id. */
export async function newSentOrder(
  desk: ConsoleDesk,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const orderId = await desk.newCase(fields);
  await confirmAtDesk(desk, orderId);
  await statusBecomes(desk, orderId, "submitted");
  return orderId;
}

/** An order whose numbers are on the platform; returns its id. */
export async function newLiveOrder(
  desk: ConsoleDesk,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const orderId = await newSentOrder(desk, fields);
  const body = { kind: "number_active", raw_status: "PORTED" };
  const recorded = await desk.desk("POST", `/orders/${orderId}/carrier_updates`, body);
  if (recorded.status !== 202) throw new Error(JSON.stringify(recorded.body));
  await statusBecomes(desk, orderId, "completed");
  return orderId;
}

const DAY_MS = 86_400_000;

/** Another carrier's request for a live number, which awaits a decision; returns its id. */
export async function newPortOut(desk: ConsoleDesk, number: string): Promise<string> {
  const asked = await desk.desk("POST", "/sandbox/port_outs", {
    phone_numbers: [number],
    gaining_carrier: "Example Mobile",
    requested_foc: new Date(Date.now() + 9 * DAY_MS).toISOString(),
  });
  if (asked.status !== 202) throw new Error(JSON.stringify(asked.body));
  return eventually(async () => {
    const path = `/port_outs?phone_number=${encodeURIComponent(number)}`;
    const [found] = dataOf(await desk.desk("GET", path));
    if (found?.["status"] !== "decision_required") throw new Error("nothing is to be decided yet");
    return String(found["id"]);
  });
}

/** Waits until the order has the status. */
export async function statusBecomes(
  desk: ConsoleDesk,
  orderId: string,
  status: string,
): Promise<void> {
  await eventually(async () => {
    const found = textOf(await desk.desk("GET", `/orders/${orderId}`), "status");
    if (found !== status) throw new Error(`the order is ${found}, not ${status}`);
  });
}
