import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { openCarrierSide, type CarrierSide } from "../../support/carriers/carrier-side.ts";
import { eventually } from "../../support/eventually.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { accountOf } from "../../support/product/account-of.ts";
import { connectClient } from "../../support/stack/test-client.ts";

const step = z.looseObject({
  id: z.string(),
  at: z.string(),
  step: z.string(),
  name: z.string(),
  message_id: z.string().nullable(),
  request_id: z.string().nullable(),
  topic: z.string().nullable(),
  offset: z.number().nullable(),
  consumer: z.string().nullable(),
  value: z.looseObject({}).nullable(),
});

let side: CarrierSide;
let account: string;

beforeAll(async () => {
  side = await openCarrierSide();
  const database = await connectClient(side.product.databaseUrl);
  account = await accountOf(database, side.product.apiKey);
});

function desk(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const method = body === undefined ? "GET" : "POST";
  const url = `${side.product.deskUrl}/desk/v1${path}`;
  return call(url, { method, key: side.product.deskToken, body, headers });
}

const sent = (phoneNumber?: string): Promise<string> => side.sentOrder(phoneNumber);

const typesOf = async (id: string) =>
  dataOf(await side.api(`/v2/porting/events?porting_order_id=${id}&limit=250&order=asc`)).map(
    (event) => event["type"],
  );

async function becomes(id: string, status: string): Promise<void> {
  await eventually(async () => {
    expect((await desk(`/orders/${id}`)).body?.["status"]).toBe(status);
  });
}

describe("a carrier's update at the desk", () => {
  it("does nothing in a dry run, and then what the dry run showed", async () => {
    const phone_number = side.product.newNumber();
    const id = await sent(phone_number);
    const update = { raw_status: "all live", kind: "number_active" };
    const before = await desk(`/orders/${id}`);
    const dry = await desk(`/orders/${id}/carrier_updates`, { ...update, dry_run: true });
    expect(dry.status).toBe(200);
    expect(dry.body).toEqual({
      effect: {
        status: "completed",
        numbers: [{ phone_number, status: "active" }],
        events: [
          ...Array.from({ length: 4 }, () => "porting_order.status_changed"),
          "number.activated",
        ],
        ignored: null,
      },
    });
    expect((await desk(`/orders/${id}`)).body).toEqual(before.body);
    const audit = dataOf(await desk(`/audit?porting_order_id=${id}`));
    expect(audit.map(({ action }) => action)).not.toContain("order.carrier_update");
    const told = await eventually(async () => {
      const types = await typesOf(id);
      // Of its way to the carrier, which the log may store some time after the order has gone it.
      const moves = types.filter((type) => type === "porting_order.status_changed");
      expect(moves).toHaveLength(2);
      return types;
    });
    const real = await desk(`/orders/${id}/carrier_updates`, update);
    expect(real).toMatchObject({ status: 202, body: { effect: dry.body?.["effect"] } });
    await becomes(id, "completed");
    const { events } = z.object({ events: z.array(z.string()) }).parse(dry.body?.["effect"]);
    await eventually(async () => {
      expect(await typesOf(id)).toEqual([...told, ...events]);
    });
  });

  it("is refused with the field and the limit, in a dry run too", async () => {
    const id = await sent();
    const faults = [
      [{ kind: "date_confirmed", foc_at: "2126-01-01T00:00:00Z" }, "foc_at", "not between"],
      [{ kind: "rejected", rejection: { raw_code: "PIN_X" } }, "rejection/raw_code", "PIN_X"],
      [{ kind: "rejected" }, "rejection", "must have a code"],
      [{ phone_numbers: ["+12125550000"] }, "phone_numbers/0", "not a number of the order"],
      [{ request_version: 9 }, "request_version", "never sent"],
    ] as const;
    for (const [fields, pointer, detail] of faults) {
      const update = { raw_status: "SAID", ...fields, dry_run: true };
      expect(await desk(`/orders/${id}/carrier_updates`, update)).toMatchObject({
        status: 422,
        body: {
          detail: expect.stringMatching(`^${pointer}: .*${detail}`),
          errors: [{ pointer: `#/${pointer}` }],
        },
      });
    }
  });

  it("is 409 for an order that was never sent, after faults of the update", async () => {
    const made = await side.api("/v2/porting_orders", {
      phone_numbers: [side.product.newNumber()],
    });
    const id = String(dataOf(made)[0]?.["id"]);
    const update = { raw_status: "SAID" };
    const unfit = { ...update, phone_numbers: ["+12125550000"] };
    for (const dry_run of [true, false]) {
      expect(await desk(`/orders/${id}/carrier_updates`, { ...update, dry_run })).toMatchObject({
        status: 409,
        body: { code: "invalid_state" },
      });
      expect(await desk(`/orders/${id}/carrier_updates`, { ...unfit, dry_run })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "#/phone_numbers/0" }] },
      });
    }
  });
});

describe("closing an order", () => {
  it("tells the customer the reason, and the desk alone the internal one", async () => {
    const made = await side.api("/v2/porting_orders", {
      phone_numbers: [side.product.newNumber()],
    });
    const id = String(dataOf(made)[0]?.["id"]);
    const reasons = { reason: "You asked us to.", internal_reason: "suspected slamming" };
    const closed = await desk(`/orders/${id}/close`, reasons);
    expect(closed).toMatchObject({
      status: 200,
      body: { status: "cancelled", closed_reason: { detail: reasons.reason } },
    });
    const paths = ["", "/timeline", "/comments"];
    const seen = await Promise.all(
      paths.map((path) => side.api(`/v2/porting_orders/${id}${path}`)),
    );
    expect(JSON.stringify(seen.map(({ body }) => body))).toContain(reasons.reason);
    expect(JSON.stringify(seen.map(({ body }) => body))).not.toContain("slamming");
    expect(JSON.stringify((await desk(`/orders/${id}/timeline`)).body)).toContain("slamming");
    const [entry] = dataOf(await desk(`/audit?porting_order_id=${id}`));
    expect(entry).toMatchObject({ action: "order.closed", after: reasons });
  });
});

describe("an order's comments at the desk", () => {
  it("name the operator to the desk, and not to the customer", async () => {
    const id = await sent();
    const commented = await desk(`/orders/${id}/comments`, { body: "We called them." });
    expect(commented.status).toBe(201);
    const me = (await desk("/me")).body;
    const [comment] = dataOf(await desk(`/orders/${id}/comments`));
    expect(comment).toMatchObject({
      id: commented.body?.["id"],
      body: "We called them.",
      author_type: "ops",
      author: { id: me?.["id"], name: me?.["name"] },
      internal: false,
    });
    const [shown] = dataOf(await side.api(`/v2/porting_orders/${id}/comments`));
    expect(shown).not.toHaveProperty("author");
  });
});

describe("an order's trace", () => {
  async function traceOf(id: string, query = "limit=250") {
    return dataOf(await desk(`/orders/${id}/messages?${query}`)).map((one) => step.parse(one));
  }

  it("has each step from the request to the event, in order of time", async () => {
    const id = await sent();
    const request = `trace-of-${id}`;
    await desk(`/orders/${id}/comments`, { body: "Traced." }, { "request-id": request });
    const trace = await eventually(async () => {
      const found = await traceOf(id);
      const told = found.filter(({ name }) => name === "porting_order.new_comment");
      expect(told.map((one) => one.step)).toEqual(["event"]);
      const [event] = told;
      const message = found.filter((one) => one.message_id === event?.["event_id"]);
      expect(message.map((one) => one.step)).toEqual(expect.arrayContaining(["outbox", "topic"]));
      // Where a message went is written up to a second later.
      const task = found.find((one) => one.step === "outbox" && one.topic === "carriers.requests");
      const about = found.filter((one) => one.message_id === task?.message_id);
      expect(about).toMatchObject([
        { step: "outbox", state: "sent", value: { kind: "submit", order_id: id } },
        { step: "topic", topic: "carriers.requests" },
      ]);
      expect(about[1]?.offset).toBeGreaterThanOrEqual(0);
      const consumers = found.filter((one) => one.step === "handler").map((one) => one.consumer);
      expect(consumers).toEqual(
        expect.arrayContaining(["requirement-review", "order-lifecycle", "carrier-adapter"]),
      );
      return found;
    });
    expect(trace.find((one) => one.request_id === request)).toMatchObject({
      step: "request",
      name: "order.commented",
      actor: { type: "desk" },
    });
    expect(trace.map(({ at }) => at)).toEqual(trace.map(({ at }) => at).toSorted());
  });

  it("masks what is secret on the way to the carrier", async () => {
    const id = await sent();
    const trace = await eventually(async () => {
      const found = await traceOf(id);
      expect(found.map(({ topic }) => topic)).toContain("carriers.requests");
      return found;
    });
    const asked = z
      .array(z.looseObject({ slug: z.string(), field_value: z.unknown() }))
      .parse((await side.api(`/v2/porting_orders/${id}`)).body?.["requirements"]);
    const number = asked.find(({ slug }) => slug === "account_number");
    const sealed = trace.find((one) => one.step === "outbox" && one.topic === "carriers.requests");
    const values = z
      .array(z.looseObject({ slug: z.string(), value: z.string().nullable() }))
      .parse(sealed?.value?.["requirements"]);
    expect(values.find(({ slug }) => slug === "account_number")?.value).toBe(number?.field_value);
    expect(JSON.stringify(trace)).not.toContain("signature=");
  });

  it("is paged in both directions without gaps or repeats", async () => {
    const id = await sent();
    await eventually(async () => expect((await traceOf(id)).length).toBeGreaterThan(20));
    const all = await eventually(async () => {
      const [once, again] = [await traceOf(id), await traceOf(id)];
      expect(again.map((one) => one.id)).toEqual(once.map((one) => one.id));
      expect(once.filter((one) => one["state"] === "waiting")).toEqual([]);
      // The log stores what was published some time after that.
      const published = once.filter(
        (one) => one.step === "outbox" && one.topic === "porting.events",
      );
      const stored = once.filter((one) => one.step === "event");
      expect(stored).toHaveLength(published.length);
      return once.map((one) => one.id);
    });
    for (const order of ["asc", "desc"]) {
      const ids: string[] = [];
      for (let cursor = ""; ; cursor = `&starting_after=${ids.at(-1) ?? ""}`) {
        const page = await traceOf(id, `limit=7&order=${order}${cursor}`);
        ids.push(...page.map((one) => one.id));
        if (page.length < 7) break;
      }
      expect(ids).toEqual(order === "asc" ? all : all.toReversed());
    }
  });

  it("shows a message that could not be handled, for which the order needs attention", async () => {
    const number = side.product.newNumber();
    const id = await sent(number);
    const topic = `${side.product.topicPrefix}carriers.updates`;
    await side.producer.send({ topic, messages: [{ key: id, value: Buffer.from("garbage") }] });
    await eventually(async () => {
      expect((await traceOf(id)).find((one) => one.step === "dead_letter")).toMatchObject({
        name: "undecodable",
        topic: "carriers.updates",
        consumer: "carrier-adapter",
        state: "parked",
        value: { base64: Buffer.from("garbage").toString("base64") },
      });
    });
    const listed = dataOf(await desk(`/orders?attention=true&account_id=${account}`));
    expect(listed.find((one) => one["id"] === id)).toMatchObject({
      account: { name: expect.any(String) },
      numbers_count: 1,
      first_number: number,
      attention: { kind: "dead_letter", reason: expect.stringContaining("carrier-adapter") },
    });
    expect((await desk(`/orders/${id}`)).body).toMatchObject({
      attention: { kind: "dead_letter" },
    });
  });
});
