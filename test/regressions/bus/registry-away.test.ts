/** @tier all */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { freePort } from "../../../infra/start/supervisor/free-port.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { adminVariables } from "../../support/stack/kafka-access.ts";
import { testStack } from "../../support/stack/test-stack.ts";
import { startOwnProduct, startProductAt } from "../../support/product/product.ts";

const SERVICES = ["api", "outbox-relay", "event-log"] as const;
const NO_REGISTRY = "http://127.0.0.1:1";

it("services that have run before start while the registry is away, and an order has its event in the feed", async () => {
  const env = { SECRETS_KEY: randomBytes(32).toString("base64") };
  const before = await startOwnProduct({ services: SERVICES, env });
  await before.stop();
  const { topicPrefix } = before;
  const place = { ...before, registryUrl: NO_REGISTRY };
  const options = { services: SERVICES, env, topicPrefix };
  const { apiUrl, apiKey: key } = await startProductAt(place, options);
  const body = { phone_numbers: ["+12125558201"] };
  const order = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  expect(order.status).toBe(201);
  await eventually(async () => {
    const feed = await call(`${apiUrl}/v2/porting/events`, { key });
    expect(dataOf(feed)).toEqual([expect.objectContaining({ type: "porting_order.created" })]);
  });
});

it.each(["sandbox-carrier", "platform-carrier"])(
  "%s, which has no database, answers while it waits for the registry, and stops",
  async (service) => {
    const port = String(await freePort());
    const child = spawn(process.execPath, [join(projectRoot, "services", service, "main.ts")], {
      env: {
        ...adminVariables(testStack().kafka_brokers),
        SCHEMA_REGISTRY_URL: NO_REGISTRY,
        HEALTH_PORT: port,
      },
      stdio: "ignore",
    });
    endAfterTests(() => child.kill("SIGKILL"));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const url = `http://127.0.0.1:${port}`;
    await eventually(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200));
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ detail: "Not ready: broker, registry." }),
    ]);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  },
);
