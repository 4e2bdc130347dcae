import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { numbersEnding } from "../../support/carriers/ending-numbers.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";
import { adminAccess } from "../../support/stack/kafka-access.ts";

const TO_DATE = ["in_review", "submitted", "in_process", "foc_scheduled"];

const noted = z.object({
  comment: z.object({ author_type: z.literal("carrier"), body: z.string() }),
});

let product: Product;
let numbers: (...endings: string[]) => string[];

beforeAll(async () => {
  product = await startProduct();
  numbers = numbersEnding(product, "646");
});

function api(path: string, body?: unknown, method = body === undefined ? "GET" : "POST") {
  return call(product.apiUrl + path, { method, key: product.apiKey, body });
}

function desk(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.deskUrl}/desk/v1${path}`, { method, key: product.deskToken, body });
}

async function send(orderId: string): Promise<void> {
  await submitOrder(product, orderId);
  await confirmAtDesk(product, orderId);
}

/** Creates an order at the sandbox carrier with one number for each ending. */
async function port(...endings: string[]): Promise<string> {
  const made = await api("/v2/porting_orders", { phone_numbers: numbers(...endings) });
  const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
  await fulfilOrder(product, orderId);
  await send(orderId);
  return orderId;
}

async function becomes(orderId: string, status: string) {
  return eventually(async () => {
    const { body } = await api(`/v2/porting_orders/${orderId}`);
    expect(body?.["status"]).toBe(status);
    return body;
  });
}

function cancel(orderId: string) {
  return api(`/v2/porting_orders/${orderId}/cancel`, {});
}

/** The bodies of the carrier's comments in the feed, once there is one. */
async function carrierComments(orderId: string): Promise<unknown[]> {
  return eventually(async () => {
    const path = `/v2/porting/events?porting_order_id=${orderId}&type=porting_order.new_comment`;
    const events = dataOf(await api(path));
    expect(events.length).toBeGreaterThan(0);
    return events.map(({ payload }) => noted.parse(payload).comment.body);
  });
}

/** The order's statuses in the feed, once the last one is there. @throws where the chain is broken */
async function chainOf(orderId: string, last: string): Promise<string[]> {
  return eventually(async () => {
    const path = `/v2/porting/events?order=asc&limit=250&porting_order_id=${orderId}`;
    const moves = dataOf(await api(path))
      .filter((event) => event["type"] === "porting_order.status_changed")
      .map((event) => z.record(z.string(), z.unknown()).parse(event["payload"]));
    expect(moves.at(-1)?.["new_status"]).toBe(last);
    moves.slice(1).forEach((move, n) => {
      expect(move["previous_status"]).toBe(moves[n]?.["new_status"]);
    });
    return moves.map((move) => String(move["new_status"]));
  });
}

describe("a number that ends in", () => {
  it.each([
    ["9901", "account_number_mismatch", { slug: "account_number", value: "8772-114-90210" }],
    ["9902", "pin_invalid", { slug: "pin_passcode", value: "4821" }],
  ])("%s is rejected once with %s", async (ending, code, { slug, value }) => {
    const orderId = await port(ending);
    const rejected = await becomes(orderId, "rejection");
    expect(rejected?.["exceptions"]).toMatchObject([{ code, slug, raised_by: "carrier" }]);
    const path = `/v2/porting_orders/${orderId}/requirements/${slug}`;
    expect((await api(path, { field_value: value }, "PATCH")).status).toBe(200);
    await send(orderId);
    await becomes(orderId, "completed");
  });

  it("9903 is refused permanently: closed by the provider, with its reason", async () => {
    const orderId = await port("9903");
    expect(await becomes(orderId, "cancelled")).toMatchObject({
      closed_by: "provider",
      closed_reason: {
        code: "number_not_portable",
        detail: "This number stays where it is.",
        raised_by: "carrier",
      },
    });
    expect(await carrierComments(orderId)).toEqual([
      "Number not portable: This number stays where it is.",
    ]);
  });

  it("9904 fails at activation, the others port", async () => {
    const order = await becomes(await port("9904", "1000"), "completed_partial");
    const numbers = z.array(z.record(z.string(), z.unknown())).parse(order?.["numbers"]);
    expect(numbers.map((one) => [one["status"], one["failure_code"]])).toEqual(
      expect.arrayContaining([
        ["failed", "sv_failure"],
        ["active", null],
      ]),
    );
  });

  // Live: every status but completed, completed_partial, cancelled (docs/contract/customer-api.md, Porting orders).
  it("9903 or 9904 can be ordered again once its order has ended, the others not", async () => {
    const refused = await port("9903");
    const partial = await port("9904", "1000");
    const again = async (orderId: string, status: string) => {
      const phones = z
        .array(z.object({ phone_number: z.string(), status: z.string() }))
        .parse((await becomes(orderId, status))?.["numbers"]);
      return Promise.all(
        phones.map(async ({ phone_number, status: ended }) => {
          const made = await api("/v2/porting_orders", { phone_numbers: [phone_number] });
          const [fault] = z
            .array(z.object({ code: z.string() }))
            .parse(made.body?.["errors"] ?? []);
          return [ended, made.status, fault?.code ?? null];
        }),
      );
    };
    expect(await again(refused, "cancelled")).toEqual([["cancelled", 201, null]]);
    expect((await again(partial, "completed_partial")).toSorted()).toEqual([
      ["active", 422, "already_active"],
      ["failed", 201, null],
    ]);
  });

  it("9904 as the only number of its order is rejected once", async () => {
    const orderId = await port("9904");
    const rejected = await becomes(orderId, "rejection");
    expect(rejected?.["exceptions"]).toMatchObject([{ code: "sv_failure", slug: null }]);
    expect(await carrierComments(orderId)).toEqual([
      expect.stringMatching(/^[A-Z].+: The switch did not take the number\.$/),
    ]);
    const again = await desk(`/orders/${orderId}/resubmit`, { note: "The switch takes it now." });
    expect(again.status).toBe(200);
    await confirmAtDesk(product, orderId);
    await becomes(orderId, "completed");
  });

  it("9905 refuses a cancellation and continues", async () => {
    const orderId = await port("9905");
    await becomes(orderId, "foc_scheduled");
    expect((await cancel(orderId)).body?.["status"]).toBe("cancel_pending");
    expect(await chainOf(orderId, "completed")).toEqual([
      ...TO_DATE,
      "cancel_pending",
      "foc_scheduled",
      "activating",
      "completed",
    ]);
  });

  it("9906 has its date moved once", async () => {
    const orderId = await port("9906");
    expect(await chainOf(orderId, "completed")).toEqual([
      ...TO_DATE,
      "foc_scheduled",
      "activating",
      "completed",
    ]);
  });

  it.each([
    ["customer", (orderId: string) => cancel(orderId)],
    ["ops", (orderId: string) => desk(`/orders/${orderId}/close`, { reason: "by phone" })],
  ])(
    "9907 sends no updates, but confirms a cancellation: closed by %s",
    async (closedBy, close) => {
      const orderId = await port("9907");
      await becomes(orderId, "submitted");
      expect((await close(orderId)).body?.["status"]).toBe("cancel_pending");
      expect(await becomes(orderId, "cancelled")).toMatchObject({ closed_by: closedBy });
      expect(await chainOf(orderId, "cancelled")).toEqual([
        "in_review",
        "submitted",
        "cancel_pending",
        "cancelled",
      ]);
    },
  );

  it("9908 ports despite a requested cancellation", async () => {
    const orderId = await port("9908");
    await becomes(orderId, "foc_scheduled");
    await cancel(orderId);
    expect(await chainOf(orderId, "completed")).toEqual([
      ...TO_DATE,
      "cancel_pending",
      "activating",
      "completed",
    ]);
  });

  it.each([
    ["9910", "accepted"],
    ["9911", "refused"],
  ] as const)("%s has a change %s, and ports then", async (ending, outcome) => {
    const made = await api("/v2/porting_orders", { phone_numbers: numbers(ending, "1000") });
    const path = `/v2/porting_orders/${z.string().parse(dataOf(made)[0]?.["id"])}`;
    const orderId = path.split("/").at(-1) ?? "";
    const opening = async (days: number) => {
      const from = new Date(Date.now() + days * 86_400_000).toISOString();
      const windows = await api(`${path}/allowed_foc_windows?from=${from}`);
      return z.string().parse(dataOf(windows)[0]?.["opens_at"]);
    };
    await api(path, { foc_requested: await opening(10) }, "PATCH");
    await fulfilOrder(product, orderId);
    await send(orderId);
    const before = await becomes(orderId, "foc_scheduled");
    const [first = "", second = ""] = z.array(z.string()).parse(before?.["phone_numbers"]);
    const removed = first.endsWith(ending) ? second : first;
    const foc_requested = await opening(20);
    const body = { foc_requested, remove_phone_numbers: [removed] };
    expect((await api(`${path}/changes`, body)).status).toBe(201);
    const after = await becomes(orderId, "completed");
    expect(dataOf(await api(`${path}/changes`))).toMatchObject([{ status: outcome }]);
    const isAccepted = outcome === "accepted";
    expect(after?.["foc_actual"]).toBe(isAccepted ? foc_requested : before?.["foc_actual"]);
    const left = isAccepted ? [first, second].filter((one) => one !== removed) : [first, second];
    expect(after?.["phone_numbers"]).toEqual(left);
  });

  it("9909 sends updates twice and out of order, and each takes effect once", async () => {
    const orderId = await port("9909", "1000");
    expect(await chainOf(orderId, "completed")).toEqual([
      "in_review",
      "submitted",
      "in_process",
      "foc_scheduled",
      "activating",
      "completed",
    ]);
    await eventually(async () => {
      const path = `/v2/porting/events?porting_order_id=${orderId}&type=number.activated`;
      expect(dataOf(await api(path))).toHaveLength(2);
    });
  });
});

const perNumber = z.object({
  requirements: z.array(
    z.looseObject({
      slug: z.string(),
      values: z
        .array(
          z.looseObject({
            phone_number: z.string(),
            field_value: z.string().nullable(),
            status: z.string(),
          }),
        )
        .default([]),
    }),
  ),
});

describe("three French numbers with three RIOs", () => {
  const EXCEPTION = "requirement-info-exception";

  async function rioOf(orderId: string) {
    const { body } = await api(`/v2/porting_orders/${orderId}`);
    const { requirements } = perNumber.parse(body);
    return requirements.find(({ slug }) => slug === "rio_code")?.values ?? [];
  }

  const statuses = async (orderId: string) => (await rioOf(orderId)).map(({ status }) => status);

  it("port once the value that the desk, then the carrier rejects is given again, alone", async () => {
    const counted = product.newNumber("+336");
    const [place = "0", ...digits] = counted.slice(-4);
    const wrong = `+337${3 + (Number(place) % 6)}${digits.join("")}9912`;
    const phone_numbers = [counted, product.newNumber("+336"), wrong];
    const made = await api("/v2/porting_orders", { phone_numbers });
    const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
    await fulfilOrder(product, orderId);
    const given = await rioOf(orderId);
    expect(new Set(given.map((one) => one.field_value)).size).toBe(3);
    const field = `/v2/porting_orders/${orderId}/requirements/rio_code`;
    const again = async (number: string) => {
      const value = given.find((one) => one.phone_number === number)?.field_value;
      const body = { field_values: { [number]: value } };
      expect((await api(field, body, "PATCH")).status).toBe(200);
    };

    await submitOrder(product, orderId);
    const path = `/reviews/${orderId}`;
    await eventually(async () => expect((await desk(path)).body?.["state"]).toBe("open"));
    const shown = perNumber.parse((await desk(path)).body);
    expect(shown.requirements.find(({ slug }) => slug === "rio_code")?.values).toMatchObject(
      given.map(({ phone_number, field_value }) => ({ phone_number, field_value })),
    );
    const [first = "", second = ""] = phone_numbers;
    const on = (phone_number: string, decision: string) => ({
      ...{ slug: "rio_code", phone_number, decision, code: null },
      reason: decision === "reject" ? "Another contract's." : null,
    });
    const unknown = await desk(`${path}/decision`, { decisions: [on("+33612", "approve")] });
    expect(unknown.body?.["errors"]).toMatchObject([{ code: "unknown_number" }]);
    const decisions = [on(first, "approve"), on(second, "reject")];
    expect((await desk(`${path}/decision`, { decisions })).status).toBe(202);
    const rejected = await becomes(orderId, "rejection");
    const detail = `${second}: Another contract's.`;
    expect(rejected?.["exceptions"]).toMatchObject([{ slug: "rio_code", detail }]);
    expect(await statuses(orderId)).toEqual([
      "approved",
      EXCEPTION,
      "requirement-info-under-review",
    ]);

    await again(second);
    await send(orderId);
    const refused = await becomes(orderId, "rejection");
    expect(refused?.["exceptions"]).toMatchObject([
      { code: "carrier_id_invalid", slug: "rio_code", raised_by: "carrier" },
    ]);
    expect(await statuses(orderId)).toEqual(["approved", "approved", EXCEPTION]);

    await again(wrong);
    await send(orderId);
    const completed = await becomes(orderId, "completed");
    expect(completed?.["numbers"]).toMatchObject(
      phone_numbers.map((phone_number) => ({ phone_number, status: "active" })),
    );
  });
});

describe("the sandbox carrier's note", () => {
  it("is published as the carrier's comment", async () => {
    const orderId = await port("9907");
    await eventually(async () => {
      const sent = await desk(`/sandbox/orders/${orderId}/comment`, { body: "call us" });
      expect(sent.status).toBe(202);
    });
    await eventually(async () => {
      const path = `/v2/porting/events?porting_order_id=${orderId}&type=porting_order.new_comment`;
      const events = dataOf(await api(path));
      expect(events.map((event) => event["payload"])).toMatchObject([
        { comment: { body: "call us", author_type: "carrier" } },
      ]);
    });
    const audit = dataOf(await desk(`/audit?porting_order_id=${orderId}`));
    expect(audit.map((entry) => entry["action"])).toContain("sandbox_order.comment");
  });

  it("is only for submitted orders of the sandbox carrier", async () => {
    const made = await api("/v2/porting_orders", { phone_numbers: [product.newNumber()] });
    const path = `/sandbox/orders/${String(dataOf(made)[0]?.["id"])}/comment`;
    const early = await desk(path, { body: "call us" });
    expect([early.status, early.body?.["code"]]).toEqual([409, "invalid_state"]);
    expect((await desk(path, { body: "" })).status).toBe(422);
  });
});

describe("a request that the sandbox carrier has answered completely", () => {
  it("gets the same bytes again when it is sent again", async () => {
    const orderId = await port("9905");
    await becomes(orderId, "foc_scheduled");
    const log = createLogger("sandbox", "silent");
    const kafka = createKafka({ ...adminAccess(product.kafkaBrokers), clientId: "sandbox", log });
    const about = async (topic: string) => {
      const all = await readTopic(kafka, product.topicPrefix + topic);
      return all.filter(({ key }) => key?.toString() === orderId);
    };
    const [request] = await about("carriers.requests");
    const updates = (await about("carriers.updates")).map(({ value }) => value?.toString("hex"));
    expect(updates).toHaveLength(2);
    const producer = kafka.producer();
    await producer.connect();
    const { key = null, value = null, headers = {} } = request ?? {};
    await producer.send({
      topic: `${product.topicPrefix}carriers.requests`,
      messages: [{ key, value, headers: { ...headers, "message-id": crypto.randomUUID() } }],
    });
    await producer.disconnect();
    await eventually(async () => {
      const repeated = (await about("carriers.updates")).map(({ value }) => value?.toString("hex"));
      expect(repeated).toEqual([...updates, ...updates]);
    });
    expect(dataOf(await desk(`/dead_letters?key=${orderId}`))).toEqual([]);
  });
});
