import { takesRequest, type Providers } from "../../domain/carrier/rules/provider.ts";
import { noteUnsentRequest } from "../../domain/order/store/note-unsent-request.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { CarrierTask } from "../../messages/generated/carrier-task.ts";
import type { Queryable } from "../../platform/db/transaction.ts";

/**
 * Whether a request is left out because it is not among its provider's capabilities. What happens instead stands in
 * docs/carriers.md (Capabilities): the carrier acts by itself, or an operator asks it by mail or phone.
 */
export function omitterOf(
  bus: Bus,
  providers: Providers,
): (tx: Queryable, task: CarrierTask) => Promise<boolean> {
  const omitted = bus.metrics.counter({
    name: "carrier_requests_omitted_total",
    help: "Requests that were not sent because they are not among their provider's capabilities",
    labels: ["provider", "kind"],
  });
  return async (tx, { provider, kind, order_id: orderId, request_version: requestVersion }) => {
    if (takesRequest(providers, provider, kind)) return false;
    if (orderId !== null) {
      const now = bus.clock.now();
      await noteUnsentRequest(tx, { orderId, provider, kind, requestVersion, now });
    }
    omitted.inc({ provider, kind });
    return true;
  };
}
