import { MANUAL_CARRIER } from "../../domain/carrier/rules/carrier-directory.ts";
import { takesRequest, type Providers } from "../../domain/carrier/rules/provider.ts";
import { ORDER_STATUSES, type OrderStatus } from "../../domain/order/rules/order.ts";
import { factsOf, isEnded } from "../../domain/order/rules/status-facts.ts";

/** The statuses in which an order waits for its carrier. */
export const WITH_CARRIER = ORDER_STATUSES.filter((status) => factsOf(status).actor === "carrier");

/** The statuses of orders that have not ended. */
export const OPEN = ORDER_STATUSES.filter((status) => !isEnded({ status }));

/** The statuses in which nothing is asked of the carrier before the confirmed date. */
export const DATED = WITH_CARRIER.filter((status) => factsOf(status).nextStep === "activating");

/** Providers whose orders move only by what people learn by phone or mail: `manual`, and those whose integration takes no order. */
export function providersByHand(providers: Providers): string[] {
  return [...providers.keys()].filter(
    (name) => name === MANUAL_CARRIER || !takesRequest(providers, name, "submit"),
  );
}

/** What a call is about, for an order that nobody was alerted to. */
export function callReason(status: OrderStatus): string {
  const { nextStep, moving } = factsOf(status);
  if (moving) return "The carrier has to report which numbers are active.";
  switch (nextStep) {
    case "acknowledged":
      return "The request has to be given to the carrier.";
    case "carrier_date":
      return "The carrier has to name a date.";
    case "activating":
      return "The port date has come; the carrier has to start the move.";
    case null:
      return "The carrier has to confirm or refuse the cancellation.";
  }
}
