import { expect, it } from "@jest/globals";
import { MetricsPage } from "../../../test/support/http/metrics-page.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { unknownStatuses } from "./unknown-statuses.ts";

it("unknown statuses are counted from 0 on, of a provider whose file was added later too", async () => {
  const metrics = createMetrics("test");
  const providers = new Map([["north", {}]]);
  const count = unknownStatuses(metrics, providers);
  const shown = async (provider: string) => {
    const page = new MetricsPage((await metrics.page()).text);
    return page.sum("carrier_statuses_unknown_total", { provider });
  };
  expect([await shown("north"), await shown("south")]).toEqual([0, null]);
  providers.set("south", {});
  count("north");
  expect([await shown("north"), await shown("south")]).toEqual([1, 0]);
});
