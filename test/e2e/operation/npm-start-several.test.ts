/** @tier nightly */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { npmStart } from "../../support/programs/npm-start.ts";

const dataDir = temporaryFolder("several");
const SLOW_MS = 300_000;

const several = z.looseObject({
  api_urls: z.array(z.string()),
  desk_urls: z.array(z.string()),
  kafka_brokers: z.string(),
});
const pidOf = (name: string): number =>
  z
    .object({ pid: z.number() })
    .parse(JSON.parse(readFileSync(join(dataDir, "run", `${name}.json`), "utf8"))).pid;

describe("npm start with three nodes of Kafka and two copies of each service", () => {
  it(
    "serves every copy, starts again what ends, and keeps the number of nodes",
    async () => {
      const started = await npmStart(dataDir, { KAFKA_NODES: "3", COPIES: "2" });
      const { api_urls, desk_urls, kafka_brokers } = several.parse(started.credentials);
      expect([api_urls.length, desk_urls.length]).toEqual([2, 2]);
      expect(kafka_brokers.split(",")).toHaveLength(3);
      for (const url of [...api_urls, ...desk_urls]) expect(started.output()).toContain(url);

      const [first = "", second = ""] = api_urls;
      const key = started.credentials.api_key;
      const request = { method: "POST", key, body: { phone_numbers: ["+12125550199"] } };
      const made = await call(`${first}/v2/porting_orders`, request);
      const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
      const order = await call(`${second}/v2/porting_orders/${orderId}`, { key });
      expect(textOf(order, "id")).toBe(orderId);
      await eventually(async () => {
        const events = await call(`${second}/v2/porting/events`, { key });
        expect(dataOf(events).map((event) => event["order_id"])).toContain(orderId);
      });

      for (const name of ["api#2", "kafka#3"]) {
        const before = pidOf(name);
        process.kill(before, "SIGKILL");
        await eventually(() => expect(pidOf(name)).not.toBe(before));
      }
      await eventually(async () => {
        expect((await call(`${second}/v2/porting_orders/${orderId}`, { key })).status).toBe(200);
      });
      await started.stop();
      await expect(npmStart(dataDir)).rejects.toThrow("has 3 nodes, but KAFKA_NODES is 1");
    },
    SLOW_MS,
  );
});
