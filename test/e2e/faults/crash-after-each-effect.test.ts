/** @tier nightly */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { ServiceName } from "../../../infra/start/supervisor/service-table.ts";
import { PortingClient } from "../../../packages/client/porting-client.ts";
import { postOnce } from "../../lab/faults/ask.ts";
import { numbersEnding } from "../../support/carriers/ending-numbers.ts";
import { eventually } from "../../support/eventually.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { WITH_TEST_DOCUMENTS } from "../../support/orders/filling.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

const PRELOAD = join(import.meta.dirname, "../../support/programs/crash-after-effect.ts");
/** Those on the way of an order, each with the least effects that a story has there. */
const ON_THE_WAY: Readonly<Partial<Record<ServiceName, number>>> = {
  api: 20,
  desk: 3,
  "requirement-review": 5,
  "order-lifecycle": 10,
  "carrier-adapter": 5,
  "sandbox-carrier": 3,
  "outbox-relay": 10,
  "event-log": 5,
  "webhook-sender": 10,
};
/** Those that change and split an order. */
const AFTER_SUBMISSION: typeof ON_THE_WAY = { api: 5, desk: 5, "order-lifecycle": 5 };
/** A service that dies again and again is started later each time. */
const PATIENT_MS = 60_000;
const LIMIT_MS = 90 * 60_000;
const REJECTED = { slug: "account_number", code: "account_number_mismatch", reason: "Another." };

let folder: string;
let product: OwnProduct;
let receiver: WebhookReceiver;
let client: PortingClient;
let numbers: (...endings: string[]) => string[];
/** How often each event has been refused. */
const refused = new Map<string, number>();

beforeAll(async () => {
  folder = temporaryFolder("crash-points");
  receiver = await startWebhookReceiver(({ body, headers }) => {
    const { type } = z.object({ type: z.string() }).parse(JSON.parse(body.toString()));
    const id = String(headers["porting-event-id"]);
    const times = refused.get(id) ?? 0;
    if (type !== "loa.signed" || times === 2) return 200;
    refused.set(id, times + 1);
    return 503;
  });
  product = await startOwnProduct({
    env: {
      CHANGE_CUTOFF_HOURS: "0",
      CRASH_FOLDER: folder,
      NODE_OPTIONS: `--import=${pathToFileURL(PRELOAD).href}`,
      WEBHOOK_RETRY_SCHEDULE: "300ms,300ms,300ms,300ms,300ms",
    },
  });
  numbers = numbersEnding(product, "646");
  client = new PortingClient({ baseUrl: product.apiUrl, apiKey: product.apiKey, maxRetries: 30 });
  await client.createWebhookEndpoint({ url: `${receiver.url}/hook` });
});

function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  return eventually(work, PATIENT_MS);
}

const reviewCase = z.object({
  state: z.string(),
  requirements: z.array(z.object({ slug: z.string(), status: z.string() })).default([]),
});

/** Decides on the open case; what was decided before a crash is not decided again. */
async function decide(orderId: string, rejected: string | null): Promise<void> {
  const url = `${product.deskUrl}/desk/v1/reviews/${orderId}`;
  const key = product.deskToken;
  let hasBeenOpen = false;
  await patiently(async () => {
    const review = reviewCase.parse((await call(url, { key })).body);
    if (review.state !== "open") {
      if (hasBeenOpen) return;
      throw new Error(`the case is ${review.state}`);
    }
    hasBeenOpen = true;
    const open = review.requirements.filter(({ status }) => status.endsWith("under-review"));
    const decisions = open.map(({ slug }) =>
      slug === rejected ? { ...REJECTED, decision: "reject" } : { slug, decision: "approve" },
    );
    const body = { decisions, ...(rejected === null ? { confirm: true } : {}) };
    const { status } = await call(`${url}/decision`, { method: "POST", key, body });
    if (status !== 202) throw new Error(`the decision returned ${status}`);
  });
}

async function submit(id: string): Promise<void> {
  await patiently(async () => {
    if (!(await client.getPortingOrderReadiness(id)).ready) throw new Error("it is not ready");
  });
  await client.submitPortingOrder(id);
}

const event = z.object({
  id: z.string(),
  type: z.string(),
  payload: z.looseObject({ new_status: z.string().optional() }),
});

/** Begins to count effects; returns the events as they were published. */
type Story = (arm: () => void) => Promise<readonly string[]>;

/** From a draft over a rejected and corrected field to a live number. */
const port: Story = async (arm) => {
  arm();
  const { data } = await client.createPortingOrder({ phone_numbers: [product.newNumber()] });
  const [{ id } = { id: "" }] = data;
  await client.fillOrder(id, WITH_TEST_DOCUMENTS);
  await submit(id);
  await decide(id, REJECTED.slug);
  await patiently(async () => expect((await client.getPortingOrder(id)).status).toBe("rejection"));
  await client.updatePortingOrderRequirement(id, REJECTED.slug, { field_value: "A-4711" });
  await submit(id);
  await decide(id, null);
  const told = await toldOf(id, "number.activated ");
  expect((await client.getPortingOrder(id)).status).toBe("completed");
  return told;
};

/** Sends an order of two numbers with an ending; resolves once it has the status. */
async function send(ending: string, status: string) {
  const phone_numbers = [...numbers(ending), ...numbers(ending)];
  const { data } = await client.createPortingOrder({ phone_numbers });
  const [{ id } = { id: "" }] = data;
  await client.fillOrder(id, WITH_TEST_DOCUMENTS);
  await submit(id);
  await decide(id, null);
  await patiently(async () => expect((await client.getPortingOrder(id)).status).toBe(status));
  return { id, phone_numbers };
}

/** One order loses a number by a change, another one is split at the desk. */
const changeAndSplit: Story = async (arm) => {
  const [changed, whole] = [await send("9910", "foc_scheduled"), await send("9904", "rejection")];
  arm();
  const change = { remove_phone_numbers: changed.phone_numbers.slice(1) };
  const groups = whole.phone_numbers.map((number) => [number]);
  const url = `${product.apiUrl}/v2/porting_orders/${changed.id}/changes`;
  const asked = await postOnce(url, { key: product.apiKey, body: change });
  expect(asked.answer.status).toBe(201);
  const split = await postOnce(`${product.deskUrl}/desk/v1/orders/${whole.id}/split`, {
    key: product.deskToken,
    body: { groups, reason: "Two switches." },
  });
  expect(dataOf(split.answer).map((part) => part["phone_numbers"])).toEqual(groups);
  const told = await toldOf(changed.id, "number.activated ");
  expect((await client.getPortingOrder(changed.id)).phone_numbers).toHaveLength(1);
  const parts = dataOf(split.answer).map((part) => String(part["id"]));
  for (const id of parts)
    told.push(...(await toldOf(id, "porting_order.status_changed in_review")));
  return told;
};

/** All events of an order, as they were also delivered, once the last of them is there. */
async function toldOf(id: string, last: string): Promise<string[]> {
  const textOf = ({ type, payload }: z.infer<typeof event>): string =>
    `${type} ${payload.new_status ?? ""}`;
  const told = await patiently(async () => {
    const path = `/v2/porting/events?order=asc&limit=250&porting_order_id=${id}`;
    const listed = await call(product.apiUrl + path, { key: product.apiKey });
    const events = z.array(event).parse(dataOf(listed));
    expect(events.map(textOf).at(-1)).toBe(last);
    return events;
  });
  await patiently(() => {
    const ids = new Set(receiver.received.map(({ headers }) => headers["porting-event-id"]));
    expect(told.filter((one) => !ids.has(one.id))).toEqual([]);
  });
  expect(foreignWebhooks(id, told)).toEqual([]);
  return told.map(textOf);
}

/** What was delivered of an order under an id that the log does not have, or with two bodies under one id. */
function foreignWebhooks(orderId: string, told: readonly { readonly id: string }[]): string[] {
  const ids = new Set(told.map(({ id }) => id));
  const bodies = new Map<string, string>();
  return receiver.received.flatMap(({ headers, body }) => {
    const id = String(headers["porting-event-id"]);
    const text = body.toString();
    if (!text.includes(orderId)) return [];
    const isSame = (bodies.get(id) ?? text) === text;
    bodies.set(id, text);
    return ids.has(id) && isSame ? [] : [id];
  });
}

const orderFor = (name: ServiceName): string => join(folder, name);

/** Has each die after so many effects during a story; returns those that died, and what was published differently than without. */
async function dieDuring(
  story: Story,
  { names, effects, whole }: { names: readonly ServiceName[]; effects: number; whole: string },
) {
  const arm = (): void => {
    for (const name of names) writeFileSync(orderFor(name), String(effects));
  };
  const told = await story(arm).catch((error: unknown) => [String(error)]);
  const died = names.filter((name) => !existsSync(orderFor(name)));
  for (const name of names) rmSync(orderFor(name), { force: true });
  await product.supervisor.whenReady();
  const differing = told.join("\n") === whole ? [] : [`${effects}: ${told.join(", ")}`];
  return { died, differing };
}

describe("a crash of each service after each single effect", () => {
  it.each([
    ["a port", port, ON_THE_WAY],
    ["a change and a split", changeAndSplit, AFTER_SUBMISSION],
  ])(
    "leaves the story of %s as it is without one",
    async (_, story, least) => {
      const names = Object.keys(least) as ServiceName[];
      const whole = (await story(() => undefined)).join("\n");
      expect(whole).toMatch(/^porting_order.created .*number.activated $/msu);
      const points = new Map<ServiceName, number>();
      const differing: string[] = [];
      for (let open = names, effects = 1; open.length > 0; effects += 1) {
        const round = await dieDuring(story, { names: open, effects, whole });
        differing.push(...round.differing);
        for (const name of open) if (!round.died.includes(name)) points.set(name, effects - 1);
        open = round.died;
      }
      console.info("crash points", Object.fromEntries(points));
      expect(differing).toEqual([]);
      for (const name of names) {
        expect(points.get(name)).toBeGreaterThanOrEqual(least[name] ?? 1);
      }
    },
    LIMIT_MS,
  );
});
