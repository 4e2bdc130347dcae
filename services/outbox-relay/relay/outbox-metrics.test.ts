import { expect, it } from "@jest/globals";
import { MetricsPage } from "../../../test/support/http/metrics-page.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { outboxGauges } from "./outbox-metrics.ts";

const MEASURED = {
  depth: 7,
  oldest_seconds: 3,
  log_bytes: 512,
  dead_letters: { "carriers.updates": 2 },
};

it("the outbox has no series while the database cannot be asked, instead of those measured last", async () => {
  const metrics = createMetrics("test");
  let isAway = false;
  const query = () =>
    isAway ? Promise.reject(new Error("away")) : Promise.resolve({ rows: [MEASURED] });
  const measure = outboxGauges({ query } as unknown as Queryable, metrics, "");
  const shown = async () => {
    const page = new MetricsPage((await metrics.page()).text);
    return [
      page.sum("outbox_unsent_messages"),
      page.sum("outbox_oldest_seconds"),
      page.sum("outbox_log_bytes"),
      page.sum("dead_letters_open", { topic: "carriers.updates" }),
    ];
  };
  const unknown = [null, null, null, null];
  expect(await shown()).toEqual(unknown);
  await measure();
  expect(await shown()).toEqual([7, 3, 512, 2]);
  isAway = true;
  await expect(measure()).rejects.toThrow("away");
  expect(await shown()).toEqual(unknown);
  isAway = false;
  await measure();
  expect(await shown()).toEqual([7, 3, 512, 2]);
});
