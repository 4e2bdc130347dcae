/** @tier all */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { adminVariables } from "../../support/stack/kafka-access.ts";

const PROGRAM = join(import.meta.dirname, "../../../services/event-log/commands/events.ts");
const ORDERS = 12;

let product: Product;
let accountId: string;
let key: string;

beforeAll(async () => {
  product = await startProduct();
  const opened = await call(`${product.deskUrl}/desk/v1/accounts`, {
    method: "POST",
    key: product.deskToken,
    body: { name: "exported" },
  });
  accountId = textOf(opened, "id");
  key = textOf(opened, "api_key");
  for (let n = 0; n < ORDERS; n += 1) {
    const body = { phone_numbers: [product.newNumber()], customer_reference: `N° ${n}` };
    const made = await call(`${product.apiUrl}/v2/porting_orders`, { method: "POST", key, body });
    expect(made.status).toBe(201);
  }
  await eventually(async () => {
    const listed = await call(`${product.apiUrl}/v2/porting/events`, { key });
    expect(dataOf(listed)).toHaveLength(ORDERS);
  });
});

/** Runs the command as an operator does. */
async function run(args: readonly string[], input = "") {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: {
      ...process.env,
      DATABASE_URL: product.databaseUrl,
      ...adminVariables(product.kafkaBrokers),
      SCHEMA_REGISTRY_URL: product.registryUrl,
      TOPIC_PREFIX: product.topicPrefix,
    },
  });
  child.stdin.end(input);
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: child.exitCode, output, errors };
}

describe("npm run events", () => {
  it("exports an account's events in feed order, and finds export, log and topic equal", async () => {
    const exported = await run(["export", "--account", accountId]);
    const lines = exported.output.split("\n").slice(0, -1);
    const rows = lines.map((line) => JSON.parse(line) as { seq: number; event: { id: string } });
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: ORDERS }, (_, n) => n + 1));
    const listed = await call(`${product.apiUrl}/v2/porting/events?order=asc`, { key });
    expect(rows.map(({ event }) => event.id)).toEqual(dataOf(listed).map(({ id }) => id));
    const verified = await run(["verify", "--account", accountId], exported.output);
    expect(verified).toMatchObject({ code: 0, errors: "" });
    expect(verified.output).toContain(`${ORDERS} events are identical`);
  });

  it("names the first event that differs", async () => {
    const { output } = await run(["export", "--account", accountId]);
    const lines = output.split("\n");
    const changed = lines.map((line, n) => (n === 4 ? line.replace("N°", "No") : line));
    const verified = await run(["verify", "--account", accountId], changed.join("\n"));
    expect(verified.code).toBe(1);
    expect(verified.errors).toMatch(/^seq 5: event .* differs between the export and the log/);
  });

  it("reports invalid arguments in a sentence", async () => {
    const wrong = await run(["export", "--account", "me"]);
    expect(wrong).toMatchObject({ code: 1, output: "" });
    expect(wrong.errors).toBe("--account is not a valid account id.\n");
  });
});
