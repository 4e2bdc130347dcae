import type { StaticTopicName } from "../../messages/topics.ts";

/** Whom a topic is for; what is internal may change in every release. */
export type Audience = "analysts" | "integrations" | "internal";

export interface TopicText {
  readonly audience: Audience;
  /** Whose messages they are, and for whom (docs/contract/messages.md, Topics and messages: the contract of the bus). */
  readonly from: string;
  readonly to: string;
  readonly carries: string;
}

export const TOPIC_TEXTS: Readonly<Record<StaticTopicName, TopicText>> = {
  "porting.events": {
    audience: "analysts",
    from: "outbox relay (calls: carrier-adapter)",
    to: "event-log, webhook-sender, analytics",
    carries:
      "Every event, in one record with a typed payload per event type. Events of one sequence key are in order. An event may be repeated: deduplicate by its id.",
  },
  "porting.review-requests": {
    audience: "internal",
    from: "API, order-lifecycle",
    to: "requirement-review",
    carries: "Documents to check, and review cases to open or withdraw.",
  },
  "porting.review-results": {
    audience: "internal",
    from: "requirement-review, desk",
    to: "order-lifecycle",
    carries: "Results of document checks, and the porting desk's decisions.",
  },
  "porting.carrier-requests": {
    audience: "internal",
    from: "API, desk, order-lifecycle",
    to: "carrier-adapter",
    carries: "What is to be sent to a carrier, without any value of the order.",
  },
  "porting.carrier-results": {
    audience: "internal",
    from: "carrier-adapter",
    to: "order-lifecycle",
    carries: "Carriers' status updates and port-outs, checked and translated.",
  },
  "carriers.requests": {
    audience: "integrations",
    from: "carrier-adapter",
    to: "carrier integrations",
    carries:
      "Requests to carriers, with every value that a carrier needs. The header `provider` names whose request it is; an integration skips those of other providers. Values may contain PINs and account numbers.",
  },
  "carriers.updates": {
    audience: "integrations",
    from: "carrier integrations, desk",
    to: "carrier-adapter",
    carries: "Carriers' status updates on orders.",
  },
  "carriers.port-outs": {
    audience: "integrations",
    from: "carrier integrations, desk (sandbox)",
    to: "carrier-adapter",
    carries: "Other carriers' requests for numbers of the platform. Values may contain PINs.",
  },
  "carriers.calls": {
    audience: "integrations",
    from: "call platform, carriers, desk (sandbox)",
    to: "carrier-adapter",
    carries: "Steps of calls to numbers of the platform.",
  },
  "carriers.receipts": {
    audience: "integrations",
    from: "carrier-adapter",
    to: "carrier integrations",
    carries:
      "What became of each status update and port-out message, and of each refused call. The header `provider` names whose message it was, where that could be read.",
  },
  "porting.webhook-attempts": {
    audience: "internal",
    from: "outbox relay (what the API announces: tests, retries, republished events)",
    to: "webhook-sender",
    carries: "Deliveries to attempt.",
  },
};

export const RETRY_TEXT: TopicText = {
  audience: "internal",
  from: "webhook-sender",
  to: "itself",
  carries: "Deliveries to attempt again when they are due.",
};

export const DEAD_LETTER_TEXT: TopicText = {
  audience: "internal",
  from: "any consumer",
  to: "nobody",
  carries:
    "Messages that could not be handled: the bytes of the source, and the reason in the headers. Operators replay or discard them at the desk.",
};

export const AUDIENCES: Readonly<Record<Audience, string>> = {
  analysts: "For who reads the events",
  integrations: "For carrier integrations and the call platform",
  internal: "Between the services; not for integrations, and subject to change in every release",
};
