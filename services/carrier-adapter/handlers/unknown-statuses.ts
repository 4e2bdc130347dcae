import type { Providers } from "../../domain/carrier/rules/provider.ts";
import type { Metrics } from "../../platform/metrics.ts";

/** Counts the statuses of a provider that its file does not list. */
export function unknownStatuses(
  metrics: Metrics,
  providers: Pick<Providers, "keys">,
): (provider: string) => void {
  const unknown = metrics.counter({
    name: "carrier_statuses_unknown_total",
    help: "Carrier statuses that their provider's file does not list",
    labels: ["provider"],
  });
  // From 0 on, so that the first one counts as an increase; files are added while the service runs.
  metrics.beforePage(() => {
    for (const provider of providers.keys()) unknown.inc({ provider }, 0);
  });
  return (provider) => unknown.inc({ provider });
}
