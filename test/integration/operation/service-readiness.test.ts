/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { LocalStack } from "../../../infra/local-stack/local-stack.ts";
import { SERVICE_NAMES, type ServiceName } from "../../../infra/start/supervisor/service-table.ts";
import { call, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { startProductAt, type OwnProduct } from "../../support/product/product.ts";
import {
  createTestDatabase,
  testStack,
  type TestDatabase,
} from "../../support/stack/test-stack.ts";
import { withoutDatabase } from "../../support/stack/without-database.ts";
import { startOwnStack } from "../../support/stack/own-stack.ts";

const READY = "ready";
const NOTICED_MS = 60_000;
/**
 * What each service needs. While the broker is down, rows of the API, the desk and the relay wait in the outbox: whoever
 * routes requests by readiness must not take the front doors away, which answer all of them.
 */
const NEEDS: Readonly<Record<ServiceName, readonly string[]>> = {
  api: ["database"],
  desk: ["database"],
  "requirement-review": ["database", "broker"],
  "order-lifecycle": ["database", "broker"],
  "carrier-adapter": ["database", "broker"],
  "sandbox-carrier": ["broker"],
  "platform-carrier": ["broker"],
  "webhook-sender": ["database", "broker"],
  "event-log": ["database", "broker"],
  "outbox-relay": ["database"],
};
/** Consumer groups, which exist from their first join even if they never handled a message. */
const GROUPS = [
  "carrier-adapter",
  "carrier-adapter-calls",
  "event-log",
  "order-lifecycle",
  "requirement-review",
  "webhook-sender",
];
const groups = z.array(z.object({ group: z.string(), lag: z.int() }));
const problem = z.object({
  code: z.literal("unavailable"),
  errors: z.array(z.object({ code: z.literal("dependency_away"), detail: z.string() })),
});

let stack: LocalStack;
let database: TestDatabase;
let product: OwnProduct;

beforeAll(async () => {
  const { database_url: databaseUrl, schema_registry_url: registryUrl } = testStack();
  const existing = { databaseUrl, registryUrl };
  stack = await startOwnStack({ existing });
  database = await createTestDatabase();
  const { kafkaBrokers } = stack.addresses;
  product = await startProductAt({ databaseUrl: database.url, kafkaBrokers, registryUrl }, {});
});

/** `ready`, or the missing dependencies that a service reports. */
async function readinessOf(name: ServiceName): Promise<string> {
  const url = product.supervisor.service(name).url();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const answer = await fetch(`${url}/readyz`);
  const body: unknown = await answer.json();
  if (answer.status === 200) return READY;
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, expect.any(String)]);
  return problem
    .parse(body)
    .errors.map(({ detail }) => detail)
    .join(", ");
}

async function expectReadiness(wanted: (name: ServiceName) => string): Promise<void> {
  await eventually(async () => {
    const reported = await Promise.all(
      SERVICE_NAMES.map(async (name) => [name, await readinessOf(name)] as const),
    );
    expect(Object.fromEntries(reported)).toEqual(
      Object.fromEntries(SERVICE_NAMES.map((name) => [name, wanted(name)])),
    );
  }, NOTICED_MS);
}

const without = (away: string) => (name: ServiceName) =>
  NEEDS[name].includes(away) ? away : READY;

const deskHealth = (): Promise<Answer> =>
  call(`${product.deskUrl}/desk/v1/health`, { key: product.deskToken });

async function expectFullHealth(): Promise<void> {
  await eventually(async () => {
    const { status, body } = await deskHealth();
    expect(status).toBe(200);
    const lags = groups.parse(body?.["consumer_groups"]);
    expect(lags.filter(({ group }) => GROUPS.includes(group))).toEqual(
      GROUPS.map((group) => ({ group, lag: 0 })),
    );
    expect(lags.map(({ group }) => group)).not.toContain("sandbox-carrier");
    expect(body?.["retry_tiers"]).toHaveLength(5);
    expect(body?.["outbox"]).toMatchObject({ depth: 0, oldest_age_seconds: 0 });
  }, NOTICED_MS);
}

function newOrder(phoneNumber: string): Promise<Answer> {
  const body = { phone_numbers: [phoneNumber] };
  const url = `${product.apiUrl}/v2/porting_orders`;
  return call(url, { method: "POST", key: product.apiKey, body });
}

/** They are started again by the supervisor. */
async function killFrontDoors(): Promise<void> {
  const programs = (["api", "desk"] as const).map(
    (name) => product.supervisor.service(name).program,
  );
  const deaths = programs.map((program) => program.deaths);
  for (const program of programs) program.kill("SIGKILL");
  await eventually(() =>
    expect(programs.map((program) => program.deaths)).toEqual(deaths.map((count) => count + 1)),
  );
}

describe("the health of the services", () => {
  it("is ready when every dependency is up", async () => {
    expect((await newOrder("+12125554001")).status).toBe(201);
    await expectReadiness(() => READY);
    await expectFullHealth();
  });

  it("names the database while that is down, and recovers with it", async () => {
    await withoutDatabase(database.url, async () => {
      await expectReadiness(without("database"));
      expect((await deskHealth()).status).toBe(503);
    });
    await expectReadiness(() => READY);
    await expectFullHealth();
  });

  it("names the broker while that is down, and reports the rest without it", async () => {
    const kafka = stack.part("kafka");
    await kafka.stop(0);
    expect((await newOrder("+12125554002")).status).toBe(201);
    const { status, body } = await deskHealth();
    expect([status, body?.["consumer_groups"], body?.["retry_tiers"]]).toEqual([200, null, null]);
    expect(body?.["outbox"]).toMatchObject({ depth: 1 });
    await expectReadiness(without("broker"));
    await killFrontDoors();
    await expectReadiness(without("broker"));
    expect((await deskHealth()).status).toBe(200);
    expect((await newOrder("+12125554003")).status).toBe(201);
    kafka.start();
    await kafka.whenReady(60_000);
    await expectReadiness(() => READY);
    await expectFullHealth();
  }, 120_000);
});
