/** @tier nightly */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { ServiceName } from "../../../infra/start/supervisor/service-table.ts";
import { PortingClient } from "../../../packages/client/porting-client.ts";
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
const NAMES = Object.keys(ON_THE_WAY) as ServiceName[];
/** A service that dies again and again is started later each time. */
const PATIENT_MS = 60_000;
const LIMIT_MS = 90 * 60_000;
const REJECTED = { slug: "account_number", code: "account_number_mismatch", reason: "Another." };

let folder: string;
let product: OwnProduct;
let receiver: WebhookReceiver;
let client: PortingClient;
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
      CRASH_FOLDER: folder,
      NODE_OPTIONS: `--import=${pathToFileURL(PRELOAD).href}`,
      WEBHOOK_RETRY_SCHEDULE: "300ms,300ms,300ms,300ms,300ms",
    },
  });
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

/** From a draft over a rejected and corrected field to a live number; the events as they were published. */
async function tellStory(): Promise<readonly string[]> {
  const { data } = await client.createPortingOrder({ phone_numbers: [product.newNumber()] });
  const [{ id } = { id: "" }] = data;
  await client.fillOrder(id, WITH_TEST_DOCUMENTS);
  await submit(id);
  await decide(id, REJECTED.slug);
  await patiently(async () => expect((await client.getPortingOrder(id)).status).toBe("rejection"));
  await client.updatePortingOrderRequirement(id, REJECTED.slug, { field_value: "A-4711" });
  await submit(id);
  await decide(id, null);
  const told = await patiently(async () => {
    const path = `/v2/porting/events?order=asc&limit=250&porting_order_id=${id}`;
    const listed = await call(product.apiUrl + path, { key: product.apiKey });
    const events = z.array(event).parse(dataOf(listed));
    expect(events.at(-1)?.type).toBe("number.activated");
    return events;
  });
  expect((await client.getPortingOrder(id)).status).toBe("completed");
  await patiently(() => {
    const ids = new Set(receiver.received.map(({ headers }) => headers["porting-event-id"]));
    expect(told.filter((one) => !ids.has(one.id))).toEqual([]);
  });
  expect(foreignWebhooks(id, told)).toEqual([]);
  return told.map(({ type, payload }) => `${type} ${payload.new_status ?? ""}`);
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

/** Has each die after so many effects during one story; returns those that died, and what was published differently than without. */
async function dieDuringStory(names: readonly ServiceName[], effects: number, whole: string) {
  for (const name of names) writeFileSync(orderFor(name), String(effects));
  const told = await tellStory().catch((error: unknown) => [String(error)]);
  const died = names.filter((name) => !existsSync(orderFor(name)));
  for (const name of names) rmSync(orderFor(name), { force: true });
  await product.supervisor.whenReady();
  const differing = told.join("\n") === whole ? [] : [`${effects}: ${told.join(", ")}`];
  return { died, differing };
}

describe("a crash of each service after each single effect", () => {
  it(
    "leaves the story as it is without one",
    async () => {
      const whole = (await tellStory()).join("\n");
      expect(whole).toMatch(/^porting_order.created .*number.activated $/su);
      const points = new Map<ServiceName, number>();
      const differing: string[] = [];
      for (let open = NAMES, effects = 1; open.length > 0; effects += 1) {
        const round = await dieDuringStory(open, effects, whole);
        differing.push(...round.differing);
        for (const name of open) if (!round.died.includes(name)) points.set(name, effects - 1);
        open = round.died;
      }
      console.info("crash points", Object.fromEntries(points));
      expect(differing).toEqual([]);
      for (const name of NAMES) {
        expect(points.get(name)).toBeGreaterThanOrEqual(ON_THE_WAY[name] ?? 1);
      }
    },
    LIMIT_MS,
  );
});
