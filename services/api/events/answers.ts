import { z } from "zod";

import { eventType } from "../../domain/event/answers/event-type-answer.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { exampleEvent } from "../../domain/event/rules/serialize-event.ts";

/** An event as the API returns it. */
export const eventAnswer = z
  .object({
    id: idText("The event's id, the same in its webhooks"),
    type: eventType,
    order_id: idText("The porting order that the event concerns").nullable(),
    payload: z.looseObject({}).meta({
      description:
        "Depends on the type: `PortingOrderCreatedPayload` of `porting_order.created`, and so on",
      examples: [exampleEvent("porting_order.created")["payload"]],
    }),
    created_at: timeText("When the change happened"),
  })
  .meta({ id: "Event", description: "A change to an object of the account" });

/** The names of all event types. */
export const eventTypesAnswer = z
  .object({
    data: z.array(eventType).meta({ description: "The names of all event types" }),
    has_more: z.literal(false).meta({ description: "Always false: it is one page" }),
  })
  .meta({ id: "EventTypeList", description: "The names of all event types" });
