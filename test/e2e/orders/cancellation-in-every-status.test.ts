import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { ORDER_SERVICES, startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

const DAY_MS = 86_400_000;

let product: OwnProduct;
let line = 100;

beforeAll(async () => {
  // Slow enough to be cancelled midway.
  product = await startOwnProduct({ services: ORDER_SERVICES, env: { SANDBOX_STEP_MS: "1500" } });
});

function api(path: string, body?: unknown): Promise<Answer> {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.apiUrl}/v2/porting_orders${path}`, {
    method,
    key: product.apiKey,
    body,
  });
}

function desk(path: string, body?: unknown): Promise<Answer> {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.deskUrl}/desk/v1${path}`, { method, key: product.deskToken, body });
}

async function becomes(id: string, status: string, closedBy: string | null = null): Promise<void> {
  await eventually(async () => {
    const { body } = await api(`/${id}`);
    expect([body?.["status"], body?.["closed_by"]]).toEqual([status, closedBy]);
  });
}

type Step = (id: string) => Promise<unknown>;

const fulfil: Step = (id) => fulfilOrder(product, id);
const submit: Step = (id) => submitOrder(product, id);
const confirm: Step = async (id) => {
  await confirmAtDesk(product, id);
  await becomes(id, "submitted");
};
const rejectAtDesk: Step = async (id) => {
  const decisions = [{ slug: "entity_name", decision: "reject", reason: "Not as on the invoice." }];
  await eventually(async () => {
    expect((await desk(`/reviews/${id}/decision`, { decisions })).status).toBe(202);
  });
  await becomes(id, "rejection");
};
/** A status update of the manual provider's carrier, which an operator records. */
const reported =
  (kind: string, status: string, more: Readonly<Record<string, unknown>> = {}): Step =>
  async (id) => {
    const update = { kind, raw_status: kind.toUpperCase(), ...more };
    expect((await desk(`/orders/${id}/carrier_updates`, update)).status).toBe(202);
    const ended = status === "cancelled" ? "customer" : null;
    await becomes(id, status, ended);
  };
const dated = (days: number): Step =>
  reported("date_confirmed", "foc_scheduled", {
    foc_at: new Date(Date.now() + days * DAY_MS).toISOString(),
  });
const rejected = reported("rejected", "rejection", { rejection: { raw_code: "port_freeze" } });
const cancel: Step = async (id) => {
  expect((await api(`/${id}/cancel`, {})).body?.["status"]).toBe("cancel_pending");
};

const TO_SUBMITTED: readonly Step[] = [fulfil, submit, confirm];

async function newOrder(steps: readonly Step[], losingCarrier = "manual"): Promise<string> {
  line += 1;
  const made = await api("", {
    phone_numbers: [`+12125553${line}`],
    losing_carrier: losingCarrier,
  });
  const id = z.string().parse(dataOf(made)[0]?.["id"]);
  for (const step of steps) await step(id);
  return id;
}

describe("a customer's cancel", () => {
  it.each<[string, readonly Step[]]>([
    ["draft", []],
    ["in_review", [fulfil, submit]],
    ["rejection", [fulfil, submit, rejectAtDesk]],
  ])("of an order in %s that was never sent takes effect at once", async (status, steps) => {
    const id = await newOrder(steps);
    await becomes(id, status);
    const cancelled = await api(`/${id}/cancel`, { reason: "changed my mind" });
    expect(cancelled.body).toMatchObject({ status: "cancelled", closed_by: "customer" });
  });

  it.each<[string, readonly Step[], Step]>([
    ["submitted", TO_SUBMITTED, reported("cancel_confirmed", "cancelled")],
    [
      "in_process",
      [...TO_SUBMITTED, reported("acknowledged", "in_process")],
      reported("rejected", "cancelled", { rejection: { raw_code: "other" } }),
    ],
    ["foc_scheduled", [...TO_SUBMITTED, dated(10)], reported("refused", "cancelled")],
    ["rejection", [...TO_SUBMITTED, rejected], reported("cancel_refused", "rejection")],
    ["in_review", [...TO_SUBMITTED, rejected, submit], reported("cancel_refused", "in_review")],
    ["foc_scheduled", [...TO_SUBMITTED, dated(10)], reported("number_active", "completed")],
  ])(
    "of an order in %s that was sent waits for the carrier's status update",
    async (status, steps, report) => {
      const id = await newOrder(steps);
      await becomes(id, status);
      await cancel(id);
      await report(id);
    },
  );

  it("that is refused under review opens a new case", async () => {
    const id = await newOrder([...TO_SUBMITTED, rejected, submit]);
    await eventually(async () => {
      expect((await desk(`/reviews/${id}`)).body).toMatchObject({ attempt: 2, state: "open" });
    });
    await cancel(id);
    await eventually(async () => {
      expect((await desk(`/reviews/${id}`)).body).toMatchObject({ state: "withdrawn" });
    });
    await reported("cancel_refused", "in_review")(id);
    await eventually(async () => {
      expect((await desk(`/reviews/${id}`)).body).toMatchObject({ attempt: 3, state: "open" });
    });
  });

  it.each<[string, string, readonly Step[]]>([
    ["cancel_too_late", "foc_scheduled", [...TO_SUBMITTED, dated(1)]],
    [
      "cancel_too_late",
      "activating",
      [...TO_SUBMITTED, dated(10), reported("activating", "activating")],
    ],
    ["invalid_state", "completed", [...TO_SUBMITTED, reported("number_active", "completed")]],
    ["invalid_state", "cancel_pending", [...TO_SUBMITTED, cancel]],
  ])("is refused as %s for an order in %s, which keeps its status", async (code, status, steps) => {
    const id = await newOrder(steps);
    await becomes(id, status);
    const refused = await api(`/${id}/cancel`, {});
    expect([refused.status, refused.body?.["code"]]).toEqual([409, code]);
    await becomes(id, status);
  });

  it("cannot be repeated", async () => {
    const id = await newOrder([]);
    await api(`/${id}/cancel`, {});
    expect((await api(`/${id}/cancel`, {})).body?.["code"]).toBe("invalid_state");
  });

  it.each(["submitted", "in_process", "foc_scheduled"])(
    "in %s is confirmed by the sandbox carrier, which stops",
    async (status) => {
      const id = await newOrder(TO_SUBMITTED, "sandbox");
      await becomes(id, status);
      await cancel(id);
      await becomes(id, "cancelled", "customer");
    },
  );
});
