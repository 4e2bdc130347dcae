import { SENT_EVENT_TYPES } from "../../messages/events.ts";
import type { ServedDocument } from "../../platform/openapi/describe-api.ts";
import { describeBus, type BusNames } from "../asyncapi/describe-bus.ts";
import { webhookJsonSchema } from "../event-catalogue/webhook-json-schema.ts";

/** What the API serves for programs beside its own description: of the topics, and of each webhook's body. */
export function servedDocuments({ topicPrefix }: BusNames): ServedDocument[] {
  return [
    { path: "/asyncapi.json", content: () => describeBus({ topicPrefix }) },
    ...SENT_EVENT_TYPES.map((type) => ({
      path: `/schemas/webhooks/${type}.json`,
      content: () => webhookJsonSchema(type),
    })),
  ];
}
