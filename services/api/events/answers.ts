import { z } from "zod";

import { EVENT_TYPES } from "../../messages/events.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { exampleEvent } from "../webhooks/sample-event.ts";

/** An event as the API returns it. */
export const eventAnswer = z
  .object({
    id: idText("The same in the event's webhooks"),
    type: z.enum(EVENT_TYPES),
    order_id: idText("The porting order that the event concerns").nullable(),
    payload: z.looseObject({}).meta({
      description: "Depends on the type; see the webhooks",
      examples: [exampleEvent("porting_order.created")["payload"]],
    }),
    created_at: timeText(),
  })
  .meta({ id: "Event" });

/** The names of all event types. */
export const eventTypesAnswer = z.object({
  data: z.array(z.enum(EVENT_TYPES)),
  has_more: z.literal(false),
});
