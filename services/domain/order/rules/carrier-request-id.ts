import { derivedId } from "../../../platform/ids.ts";
import type { CarrierTaskKind } from "./effects.ts";
import type { Order } from "./order.ts";

/**
 * The id of a request to a carrier. It is derived from the content, so that a repeated request has the same id: one
 * submit or supplement per version, one cancellation per time it was requested, one activation per date.
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
