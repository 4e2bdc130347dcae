import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import {
  faultsIn,
  type Phase,
  type SchemathesisReport,
} from "../../support/openapi/schemathesis-report.ts";
import { installSchemathesis, runSchemathesis } from "../../support/openapi/schemathesis.ts";

const DEADLINE_MS = 900_000;
const described = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});
/** The least average number of cases for each operation. */
const LEAST_CASES = 20;
/**
 * One round of walks for each seed, of those that walk far: some end after a hundred cases. Their number is fixed, not
 * their time, so that a slow machine covers as much.
 */
const SEEDS = [3, 4, 5, 7];
const NUMBER = "+12125558100";
/** Operations that a run skips, each with its reason. */
const LEFT_OUT: readonly (readonly [operation: string, reason: string])[] = [
  ["GET /openapi.json", "a run reads the document there and generates no operation for it"],
];

let product: OwnProduct;
let program: string;

beforeAll(async () => {
  program = await installSchemathesis();
  product = await startOwnProduct();
  await fill();
}, DEADLINE_MS);

function api(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

async function newOrder(phoneNumber: string): Promise<string> {
  const made = await api("/porting_orders", { phone_numbers: [phoneNumber] });
  const id = String(dataOf(made)[0]?.["id"]);
  await fulfilOrder(product, id);
  await submitOrder(product, id);
  return id;
}

/** Fills the lists: an active number, an order in review, deliveries. */
async function fill(): Promise<void> {
  const made = await api("/webhook_endpoints", { url: "http://127.0.0.1:9999/hook" });
  expect(made.status).toBe(201);
  await confirmAtDesk(product, await newOrder(NUMBER));
  await newOrder("+12125558101");
  await eventually(async () => {
    expect((await api(`/numbers/${encodeURIComponent(NUMBER)}`)).body?.["status"]).toBe("active");
  });
}

async function operationsOf(url: string): Promise<string[]> {
  const { paths } = described.parse((await call(`${url}/openapi.json`)).body);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

function expectClean({ verdict, phases, text }: SchemathesisReport, ran: readonly Phase[]): void {
  if (verdict.exit_code !== 0 || verdict.failures.length > 0) throw new Error(faultsIn(text));
  expect(verdict.complete).toBe(true);
  for (const phase of ran) {
    expect([phase, verdict.phases[phase].status]).toEqual([phase, "success"]);
    expect(phases[phase].cases).toBeGreaterThan(0);
  }
}

interface Api {
  readonly url: string;
  readonly key: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Tests every operation on its own. */
async function expectSound(api: Api): Promise<void> {
  const each = ["examples", "coverage", "fuzzing"] as const;
  const report = await runSchemathesis({ program, ...api, phases: each });
  expectClean(report, each);
  const left = new Set(LEFT_OUT.map(([operation]) => operation));
  const all = (await operationsOf(api.url)).filter((operation) => !left.has(operation));
  for (const phase of each) {
    const { operations } = report.phases[phase];
    expect([phase, all.filter((one) => !operations.has(one))]).toEqual([phase, []]);
  }
  const cases = each.reduce((sum, phase) => sum + report.phases[phase].cases, 0);
  expect(cases).toBeGreaterThan(all.length * LEAST_CASES);
}

/** Half of the counts seen in practice. */
interface Least {
  readonly operations: number;
  readonly links: number;
}

/** Follows links from answers to other operations. */
async function expectWalkable(api: Api, least: Least): Promise<void> {
  const [operations, links] = [new Set<string>(), new Set<string>()];
  for (const seed of SEEDS) {
    const report = await runSchemathesis({ program, ...api, phases: ["stateful"], seed });
    expectClean(report, ["stateful"]);
    for (const one of report.phases.stateful.operations) operations.add(one);
    for (const one of report.phases.stateful.links) links.add(one);
  }
  expect(operations.size).toBeGreaterThanOrEqual(least.operations);
  expect(links.size).toBeGreaterThanOrEqual(least.links);
}

async function customers(): Promise<Api> {
  const { apiUrl: url, apiKey: key } = product;
  const keyId = String(dataOf(await api("/api_keys"))[0]?.["id"]);
  return { url, key, env: { PORTING_KEY_ID: keyId, PORTING_NUMBER: NUMBER } };
}

function desks(): Api {
  const { deskUrl: url, deskToken: key } = product;
  return { url, key, env: { PORTING_NUMBER: NUMBER } };
}

describe("Schemathesis with all its checks", () => {
  // Walks come first, because fuzzing closes the orders that they need; the desk's come later, because they suspend
  // accounts.
  it(
    "finds no fault when it follows links of the customers' API",
    async () => expectWalkable(await customers(), { operations: 15, links: 15 }),
    DEADLINE_MS,
  );

  it(
    "finds no fault in the customers' API",
    async () => expectSound(await customers()),
    DEADLINE_MS,
  );

  it(
    "finds no fault when it follows links of the desk's API",
    async () => expectWalkable(desks(), { operations: 12, links: 2 }),
    DEADLINE_MS,
  );

  it("finds no fault in the desk's API", async () => expectSound(desks()), DEADLINE_MS);
});
