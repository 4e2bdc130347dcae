import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { readTopic } from "../../../examples/analytics/read-topic.ts";
import { readSettings } from "../../../examples/analytics/settings.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http/call.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import { adminVariables } from "../../support/stack/kafka-access.ts";
import { connectAdmin } from "../../support/stack/test-kafka.ts";

const SESSION_OVER_MS = 40_000;

/** The registry at another address, which answers nothing before `opens` does. */
async function startSlowRegistry(registryUrl: string, opens: () => Promise<void>): Promise<string> {
  const { origin, pathname } = new URL(registryUrl);
  const server = createServer((request, response) => {
    void opens()
      .then(() => fetch(origin + (request.url ?? "")))
      .then(async (answer) => {
        const body = Buffer.from(await answer.arrayBuffer());
        const type = answer.headers.get("content-type") ?? "application/json";
        response.writeHead(answer.status, { "Content-Type": type }).end(body);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endAfterTests(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}${pathname}`;
}

// The reader ended with code 1: its commit crashed the consumer where the group had dropped it meanwhile.
it("the analytics reader goes on where it stalls for longer than its session", async () => {
  const product = await startProduct();
  const body = { phone_numbers: [product.newNumber()] };
  const url = `${product.apiUrl}/v2/porting_orders`;
  expect((await call(url, { method: "POST", key: product.apiKey, body })).status).toBe(201);
  const admin = await connectAdmin();
  const topic = `${product.topicPrefix}porting.events`;
  await eventually(async () => {
    const ends = await admin.fetchTopicOffsets(topic);
    expect(ends.some(({ high }) => high !== "0")).toBe(true);
  });

  const folder = temporaryFolder("stalled");
  let droppings = 0;
  const dropped = async (): Promise<void> => {
    if (droppings > 0) return;
    await eventually(async () => {
      const group = readFileSync(join(folder, ".group"), "utf8");
      const { groups } = await admin.describeGroups([group]);
      expect(groups[0]?.members).toEqual([]);
    }, SESSION_OVER_MS);
    droppings += 1;
  };
  const env = {
    ...adminVariables(product.kafkaBrokers),
    SCHEMA_REGISTRY_URL: await startSlowRegistry(product.registryUrl, dropped),
    TOPIC_PREFIX: product.topicPrefix,
    DATA_DIR: folder,
  };
  const settings = readSettings(env);
  expect(await readTopic({ settings, once: true })).toBeGreaterThan(0);
  expect(droppings).toBe(1);
  expect(await readTopic({ settings, once: true })).toBe(0);
});
