import type { RawMessage } from "../../../services/platform/kafka/raw-message.ts";

/** A message as a consumer receives it: without a key, value or headers, the first of its partition, unless given. */
export function buildRawMessage(given: Partial<RawMessage> = {}): RawMessage {
  return {
    topic: "things",
    partition: 0,
    offset: 0,
    key: null,
    value: null,
    headers: {},
    headerCount: 0,
    timestamp: 0,
    messageId: "0197a1b2-0000-7000-8000-000000000000",
    ...given,
  };
}
