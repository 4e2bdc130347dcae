/** @tier nightly @needs python3 */
import { cpSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { projectRoot } from "../../../infra/project-root.ts";
import { providerGroups } from "../../../services/messages/bus/topic-rights.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import {
  exampleCommand,
  startExample,
  type Language,
  type RunningExample,
} from "../../support/programs/example-integration.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { adminAccess } from "../../support/stack/kafka-access.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

const PROVIDER = "us-lsr";
const CARRIER = "Example Bell";
const DIRECTORY = { carriers: { [CARRIER]: { provider: PROVIDER } }, prefixes: {} };
/** A killed member's partitions are reassigned after 10 s; the rest is for a slow machine. */
const AFTER_A_KILL_MS = 120_000;

let product: OwnProduct;
let earlier: OwnProduct | null = null;
let command: readonly string[];
let folder: string;
let line = 100;

/** Each has one of the provider's groups, and another to read everything again. */
function groupOf(language: Language, run: "first" | "again" = "first"): string {
  const [, one = "", two = "", three = "", four = ""] = providerGroups(PROVIDER);
  const [first, again] = language === "Python" ? [one, two] : [three, four];
  return product.topicPrefix + (run === "first" ? first : again);
}

function startIntegration(language: Language, env: NodeJS.ProcessEnv = {}): RunningExample {
  const dataDir = join(folder, language);
  const own = { GROUP_ID: groupOf(language), ...env };
  return startExample({ product, command, provider: PROVIDER, dataDir, env: own });
}

function api(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

async function newSubmitted(count: number): Promise<string> {
  const numbers = Array.from({ length: count }, () => `+12125557${(line += 1)}`);
  const made = await api("/porting_orders", { phone_numbers: numbers, losing_carrier: CARRIER });
  const id = String(dataOf(made)[0]?.["id"]);
  await fulfilOrder(product, id);
  await submitOrder(product, id);
  await confirmAtDesk(product, id);
  return id;
}

async function becomes(id: string, status: string, deadlineMs?: number): Promise<void> {
  await eventually(async () => {
    expect((await api(`/porting_orders/${id}`)).body?.["status"]).toBe(status);
  }, deadlineMs);
}

async function chainOf(id: string): Promise<unknown[]> {
  const listed = await api(`/porting/events?order=asc&limit=100&porting_order_id=${id}`);
  return dataOf(listed)
    .filter(({ type }) => type === "porting_order.status_changed")
    .map(({ payload }) => z.object({ new_status: z.string() }).parse(payload).new_status);
}

/** The trace ids of an order's messages on a topic. */
async function tracesOf(topic: string, id: string): Promise<string[]> {
  const { kafkaBrokers, topicPrefix } = product;
  const log = createLogger("test", "silent");
  const kafka = createKafka({ ...adminAccess(kafkaBrokers), clientId: "traces", log });
  const messages = await readTopic(kafka, topicPrefix + topic);
  return messages
    .filter(({ key }) => key?.toString() === id)
    .map(({ headers }) => String(headers["traceparent"]).slice(3, 35));
}

async function expectNoDeadLetters(): Promise<void> {
  const url = `${product.deskUrl}/desk/v1/dead_letters`;
  expect(dataOf(await call(url, { key: product.deskToken }))).toEqual([]);
}

describe.each<Language>(["TypeScript", "Python"])("the %s integration", (language) => {
  // One product for each language: an integration would answer the other's requests with different updates.
  beforeAll(async () => {
    await earlier?.stop();
    command = await exampleCommand(language);
    folder = temporaryFolder("integrations");
    cpSync(join(projectRoot, "data", "carriers"), folder, { recursive: true });
    await writeFile(join(folder, "directory.json"), JSON.stringify(DIRECTORY));
    product = await startOwnProduct({ env: { CARRIERS_DIR: folder, DEADLINE_POLL: "100ms" } });
    earlier = product;
  });

  it("carries a port to active numbers although it is killed between two status updates and restarted", async () => {
    const first = startIntegration(language, { PORT_AFTER_SECONDS: "3" });
    await eventually(() => expect(first.output()).toContain("joined"), AFTER_A_KILL_MS);
    const id = await newSubmitted(2);
    await eventually(() => expect(first.output()).toContain("published acknowledged"));
    await first.end("SIGKILL");

    const second = startIntegration(language, { PORT_AFTER_SECONDS: "3" });
    await becomes(id, "completed", AFTER_A_KILL_MS);
    const chain = ["in_review", "submitted", "in_process", "foc_scheduled", "activating"];
    await eventually(async () => expect(await chainOf(id)).toEqual([...chain, "completed"]));
    expect(second.output().match(/published number_active/g)).toHaveLength(2);
    await second.end("SIGTERM");
    await expectNoDeadLetters();
    const asked = await tracesOf("carriers.requests", id);
    expect(new Set(await tracesOf("carriers.updates", id))).toEqual(new Set(asked));
  });

  it("confirms a cancellation, and answers a repeated request with the same status updates", async () => {
    const first = startIntegration(language);
    const id = await newSubmitted(1);
    await becomes(id, "foc_scheduled", AFTER_A_KILL_MS);
    await api(`/porting_orders/${id}/cancel`, {});
    await becomes(id, "cancelled");
    const confirmed = /published (cancel_confirmed \S+ of \S+)/.exec(first.output())?.[1];
    await first.end("SIGTERM");

    // A new group reads every request again; the integration repeats the updates that it published before.
    const again = startIntegration(language, { GROUP_ID: groupOf(language, "again") });
    await eventually(() => expect(again.output()).toContain(String(confirmed)), AFTER_A_KILL_MS);
    await again.end("SIGTERM");
    await expectNoDeadLetters();
    expect(await chainOf(id)).toContain("cancelled");
  });
});
