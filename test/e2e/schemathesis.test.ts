import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { call, dataOf } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../support/fulfil-order.ts";
import type { Product } from "../support/product.ts";
import { startProduct } from "../support/product.ts";
import { PHASES } from "../support/schemathesis-report.ts";
import type { SchemathesisReport } from "../support/schemathesis-report.ts";
import { installSchemathesis, runSchemathesis } from "../support/schemathesis.ts";

const SECONDS = 90;
const DEADLINE_MS = 300_000;
const NUMBER = "+12125558100";
/** Operations that a run leaves out, each with its reason. */
const LEFT_OUT: readonly (readonly [operation: string, reason: string])[] = [
  ["GET /openapi.json", "a run reads it to begin with, and takes no operation from where it read"],
];

let product: Product;
let program: string;

beforeAll(async () => {
  program = await installSchemathesis();
  product = await startProduct();
  await fill();
}, DEADLINE_MS);

afterAll(async () => {
  await product.stop();
});

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

/** So that the lists are not empty: a number that is here, an order in review, deliveries. */
async function fill(): Promise<void> {
  await api("/webhook_endpoints", { url: "http://127.0.0.1:9/hook" });
  await confirmAtDesk(product, await newOrder(NUMBER));
  await newOrder("+12125558101");
  await eventually(async () => {
    expect((await api(`/numbers/${encodeURIComponent(NUMBER)}`)).body?.["status"]).toBe("active");
  });
}

async function operationsOf(url: string): Promise<string[]> {
  const { body } = await call(`${url}/openapi.json`);
  return Object.entries(body?.["paths"] ?? {}).flatMap(([path, operations]) =>
    Object.keys(Object(operations) as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

interface Least {
  readonly cases: number;
  /** Of the stateful phase: what was called, and which links were followed. */
  readonly operations: number;
  readonly links: number;
}

/** Nothing is found, and so much was looked at that this says something. */
async function expectClean(report: SchemathesisReport, url: string, least: Least): Promise<void> {
  const { verdict, phases, text } = report;
  if (verdict.exit_code !== 0 || verdict.failures.length > 0) throw new Error(text);
  expect(verdict.complete).toBe(true);
  for (const phase of PHASES)
    expect([phase, verdict.phases[phase].status]).toEqual([phase, "success"]);
  const left = new Set(LEFT_OUT.map(([operation]) => operation));
  const all = (await operationsOf(url)).filter((operation) => !left.has(operation));
  for (const phase of ["examples", "coverage", "fuzzing"] as const) {
    expect([phase, all.filter((one) => !phases[phase].operations.has(one))]).toEqual([phase, []]);
  }
  const { stateful } = phases;
  const cases = PHASES.reduce((sum, phase) => sum + phases[phase].cases, 0);
  console.log(
    text,
    cases,
    PHASES.map((p) => [p, phases[p].cases, phases[p].operations.size, phases[p].succeeded.size]),
    stateful.links.size,
    [...stateful.succeeded],
    all.filter((one) => !PHASES.some((p) => phases[p].succeeded.has(one))),
  );
  expect(cases).toBeGreaterThan(least.cases);
  expect(stateful.operations.size).toBeGreaterThan(least.operations);
  expect(stateful.links.size).toBeGreaterThan(least.links);
}

describe("schemathesis, with all its checks", () => {
  it(
    "finds nothing wrong with the customers' API",
    async () => {
      const { apiUrl: url, apiKey: key } = product;
      const keyId = String(dataOf(await api("/api_keys"))[0]?.["id"]);
      const env = { PORTING_KEY_ID: keyId, PORTING_NUMBER: NUMBER };
      const report = await runSchemathesis({ program, url, key, seconds: SECONDS, env });
      await expectClean(report, url, { cases: 1_500, operations: 10, links: 10 });
    },
    DEADLINE_MS,
  );

  it(
    "finds nothing wrong with the desk's API",
    async () => {
      const { deskUrl: url, deskToken: key } = product;
      const env = { PORTING_NUMBER: NUMBER };
      const report = await runSchemathesis({ program, url, key, seconds: SECONDS, env });
      await expectClean(report, url, { cases: 1_000, operations: 10, links: 10 });
    },
    DEADLINE_MS,
  );
});
