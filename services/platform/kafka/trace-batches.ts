import {
  errorTypeOf,
  runInSpan,
  type OpenSpan,
  type SpanAttributes,
  type Tracing,
} from "../tracing/tracing.ts";
import type { RawMessage } from "./raw-message.ts";

/** Runs the handling of messages of one partition, which resolves to its failure or null, in a span. */
export type TraceBatch = (
  messages: readonly { readonly raw: RawMessage }[],
  handle: () => Promise<unknown>,
) => Promise<unknown>;

/**
 * A message that is handled alone is part of its own trace. The span of several has a trace of its own and links to all
 * of theirs: none of them is the cause of the others' handling.
 */
export function traceBatches(tracing: Tracing, group: string): TraceBatch {
  return async (messages, handle) => {
    const [first] = messages;
    if (first === undefined) return handle();
    const span = startBatchSpan(tracing, { group, first: first.raw, messages });
    try {
      const failure = await runInSpan(span, handle);
      span.end(failure === null ? undefined : errorTypeOf(failure));
      return failure;
    } catch (error) {
      span.end(errorTypeOf(error));
      throw error;
    }
  };
}

interface ReceivedBatch {
  readonly group: string;
  readonly first: RawMessage;
  readonly messages: readonly { readonly raw: RawMessage }[];
}

function startBatchSpan(tracing: Tracing, { group, first, messages }: ReceivedBatch): OpenSpan {
  const attributes: SpanAttributes = {
    "messaging.system": "kafka",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.consumer.group.name": group,
    "messaging.destination.name": first.topic,
    "messaging.destination.partition.id": String(first.partition),
    "messaging.kafka.offset": first.offset,
  };
  const name = `process ${first.topic}`;
  if (messages.length === 1) {
    return tracing.start(name, {
      kind: "consumer",
      parent: first.headers["traceparent"],
      attributes: { ...attributes, "messaging.message.id": first.messageId },
    });
  }
  return tracing.start(name, {
    kind: "consumer",
    links: messages.map(({ raw }) => raw.headers["traceparent"]),
    attributes: { ...attributes, "messaging.batch.message_count": messages.length },
  });
}
