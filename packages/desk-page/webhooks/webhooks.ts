import type { z } from "zod";
import type {
  deskDeliveryAnswer,
  deskEndpointAnswer,
} from "../../../services/desk/webhooks/answers.ts";
import type { WebhookSide } from "../../ui/webhooks/webhook-side.ts";

export type Endpoint = z.output<typeof deskEndpointAnswer>;
export type Delivery = z.output<typeof deskDeliveryAnswer>;

export const ENDPOINTS_PATH = "/desk/v1/webhook_endpoints";

export const DESK: WebhookSide = {
  deliveries: "/desk/v1/deliveries",
  endpointPage: (id) => `/webhooks/${id}`,
  eventPage: (id) => `/deliveries?event_id=${id}`,
};
