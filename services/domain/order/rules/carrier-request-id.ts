import { derivedId } from "../../../platform/ids.ts";
import type { CarrierTaskKind } from "./effects.ts";
import type { Order } from "./order.ts";

/**
 * The id of what is asked of a carrier. It follows from what is asked, so that a request that is sent again has the
 * same: a submit or supplement per version, a cancellation per time it was asked for, an activation per date.
 */
export function carrierRequestId(order: Order, kind: CarrierTaskKind): string {
  return derivedId([order.id, kind, order.request_version, occasionOf(order, kind)].join("/"));
}

function occasionOf({ cancel, foc_actual }: Order, kind: CarrierTaskKind): string {
  switch (kind) {
    case "submit":
    case "supplement":
      return "";
    case "cancel":
      return cancel?.asked_at ?? "";
    case "activate":
      return foc_actual === null ? "" : new Date(foc_actual).toISOString();
  }
}
