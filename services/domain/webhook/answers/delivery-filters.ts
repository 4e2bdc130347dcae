import { z } from "zod";
import { EVENT_TYPES } from "../../../messages/events.ts";
import { uuid } from "../../../platform/http/body/fields.ts";
import { DELIVERY_STATUSES } from "../rules/delivery.ts";

/** The filters of a list of deliveries. */
export const deliveryFilters = {
  status: z
    .array(z.enum(DELIVERY_STATUSES))
    .optional()
    .describe("Deliveries in any of these statuses"),
  event_type: z
    .array(z.enum(EVENT_TYPES))
    .optional()
    .describe("Deliveries of events of any of these types"),
  webhook_endpoint_id: uuid().optional().describe("Deliveries to this endpoint"),
  porting_order_id: uuid().optional().describe("Deliveries of this order's events"),
  event_id: uuid().optional().describe("Deliveries of this event"),
};
