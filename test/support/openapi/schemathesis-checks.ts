import { expect } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, type Answer } from "../http/call.ts";
import { eventually } from "../eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../orders/fulfil-order.ts";
import { startOwnProduct, type OwnProduct } from "../product/product.ts";
import { faultsIn, type Phase, type SchemathesisReport } from "./schemathesis-report.ts";
import { installSchemathesis, runSchemathesis } from "./schemathesis.ts";

const described = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});
/** The least average number of cases for each operation. */
const LEAST_CASES = 20;
const NUMBER = "+12125558100";
/** Operations that a run skips, each with its reason. */
const LEFT_OUT: readonly (readonly [operation: string, reason: string])[] = [
  ["GET /openapi.json", "a run reads the document there and generates no operation for it"],
];

/** A listener and its caller. */
interface Api {
  readonly url: string;
  readonly key: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Schemathesis before a product whose lists are filled. */
export interface Schemathesis {
  readonly program: string;
  readonly customers: Api;
  readonly desk: Api;
}

/** Installs it where it is missing, and starts a product of its own: it leaves orders behind and suspends accounts. */
export async function openSchemathesis(): Promise<Schemathesis> {
  const program = await installSchemathesis();
  const product = await startOwnProduct();
  await fill(product);
  const { apiUrl, apiKey, deskUrl, deskToken } = product;
  const [key] = dataOf(await call(`${apiUrl}/v2/api_keys`, { key: apiKey }));
  const env = { PORTING_KEY_ID: String(key?.["id"]), PORTING_NUMBER: NUMBER };
  return {
    program,
    customers: { url: apiUrl, key: apiKey, env },
    desk: { url: deskUrl, key: deskToken, env: { PORTING_NUMBER: NUMBER } },
  };
}

function post({ apiUrl, apiKey: key }: OwnProduct, path: string, body: unknown): Promise<Answer> {
  return call(`${apiUrl}/v2${path}`, { method: "POST", key, body });
}

async function newOrder(product: OwnProduct, phoneNumber: string): Promise<string> {
  const made = await post(product, "/porting_orders", { phone_numbers: [phoneNumber] });
  const id = String(dataOf(made)[0]?.["id"]);
  await fulfilOrder(product, id);
  await submitOrder(product, id);
  return id;
}

/** Fills the lists: an active number, an order in review, deliveries. */
async function fill(product: OwnProduct): Promise<void> {
  const made = await post(product, "/webhook_endpoints", { url: "http://127.0.0.1:9999/hook" });
  expect(made.status).toBe(201);
  await confirmAtDesk(product, await newOrder(product, NUMBER));
  await newOrder(product, "+12125558101");
  const number = `${product.apiUrl}/v2/numbers/${encodeURIComponent(NUMBER)}`;
  await eventually(async () => {
    expect((await call(number, { key: product.apiKey })).body?.["status"]).toBe("active");
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

/** Tests every operation on its own, in each of the phases. */
export async function expectSound(
  { program }: Schemathesis,
  api: Api,
  each: readonly Phase[],
): Promise<void> {
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

/** The least that must be reached, with room for a document that has grown: a seed then walks elsewhere. */
export interface Walk {
  /** How many seeds are walked at least; each ends elsewhere when an operation is added to the document. */
  readonly seeds: number;
  readonly operations: number;
  readonly links: number;
}

const MOST_SEEDS = 12;

/** Follows links from answers to other operations, seed by seed until enough of both were reached. */
export async function expectWalkable(
  { program }: Schemathesis,
  api: Api,
  least: Walk,
): Promise<void> {
  const [operations, links] = [new Set<string>(), new Set<string>()];
  const isDone = (seed: number): boolean =>
    seed > least.seeds && operations.size >= least.operations && links.size >= least.links;
  for (let seed = 1; seed <= MOST_SEEDS && !isDone(seed); seed += 1) {
    const report = await runSchemathesis({ program, ...api, phases: ["stateful"], seed });
    expectClean(report, ["stateful"]);
    for (const one of report.phases.stateful.operations) operations.add(one);
    for (const one of report.phases.stateful.links) links.add(one);
  }
  expect(operations.size).toBeGreaterThanOrEqual(least.operations);
  expect(links.size).toBeGreaterThanOrEqual(least.links);
}
