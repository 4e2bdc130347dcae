import { expect, it } from "@jest/globals";
import { MetricsPage } from "../../test/support/http/metrics-page.ts";
import { createMetrics } from "../platform/metrics.ts";
import { createSenderMetrics } from "./sender-metrics.ts";

it("deliveries are counted from 0 on, so that an alert sees the first that fails", async () => {
  const metrics = createMetrics("test");
  const sender = createSenderMetrics(metrics);
  const shown = async (result: string) => {
    const page = new MetricsPage((await metrics.page()).text);
    return page.sum("webhook_deliveries_total", { result });
  };
  expect([await shown("failed"), await shown("succeeded")]).toEqual([0, 0]);
  sender.recorded([], [{ id: "one", status: "failed" }]);
  expect([await shown("failed"), await shown("succeeded")]).toEqual([1, 0]);
});
