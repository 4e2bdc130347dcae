import { grafanaDashboard } from "./dashboard.ts";
import { API } from "./describe/api.ts";
import { BUS } from "./describe/bus.ts";
import { ORDERS } from "./describe/orders.ts";
import { PROCESSES } from "./describe/processes.ts";
import { WEBHOOKS } from "./describe/webhooks.ts";

/** The folder of the files, from the project's root. */
export const DASHBOARDS = "infra/monitoring/dashboards";

/** The text of each dashboard's file by its name. */
export function dashboardFiles(): ReadonlyMap<string, string> {
  return new Map(
    [API, BUS, WEBHOOKS, ORDERS, PROCESSES].map((dashboard) => [
      `${dashboard.uid}.json`,
      `${JSON.stringify(grafanaDashboard(dashboard), null, 2)}\n`,
    ]),
  );
}
