import { maskValues } from "../../domain/account/rules/audit-entry.ts";
import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { maskValue } from "../../domain/requirement/rules/mask-value.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { TopicName } from "../../messages/topics.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import type { TraceRow } from "./store/trace.ts";
import { TRACE_STEPS } from "../../domain/order/rules/trace-steps.ts";
import { traceIdOf } from "./trace-cursor.ts";

const DEAD_LETTERS = ".dead-letter";

type Kind = Pick<Order, "country_code" | "number_type">;
type Values = Readonly<Record<string, unknown>>;
export type TraceReader = Pick<Bus, "codec" | "seal" | "topicPrefix">;

/** A step of an order's trace, its value decoded and masked. */
export async function presentTraceStep(reader: TraceReader, order: Kind, row: TraceRow) {
  const { at, rank, name, traceparent, topic, actor, consumer, state, partition, offset } = row;
  const { request_id, message_id, event_id, delivery_id } = row;
  const shownTopic = topic?.slice(reader.topicPrefix.length) ?? null;
  return {
    id: traceIdOf(row),
    at,
    step: TRACE_STEPS[rank],
    name: name === topic ? shownTopic : name,
    ...{ actor, request_id, message_id, event_id, delivery_id },
    ...{ topic: shownTopic, partition, offset, consumer, state },
    trace_id: traceparent?.split("-")[1] ?? null,
    value: await valueOf(reader, order, row),
  };
}

async function valueOf(reader: TraceReader, order: Kind, row: TraceRow): Promise<Values | null> {
  if (row.raw === null) return row.value === null ? null : maskValues(row.value);
  const decoded =
    row.topic === null ? parsed(row.raw) : await decodedMessage(reader, { ...row, raw: row.raw });
  return decoded === null
    ? { base64: row.raw.toString("base64") }
    : withoutSecrets(maskValues(decoded), order);
}

/** A stored event's body. */
function parsed(body: Buffer): Values {
  return Object.fromEntries(Object.entries(JSON.parse(body.toString("utf8")) as object));
}

/** Null for bytes that cannot be decoded; sealed ones stay sealed. */
async function decodedMessage(
  { codec, seal, topicPrefix }: TraceReader,
  row: TraceRow & { readonly raw: Buffer },
): Promise<Values | null> {
  const topic = row.topic ?? "";
  const name = topic.slice(topicPrefix.length).replace(DEAD_LETTERS, "");
  const stored = { value: row.raw, sealedKeyId: row.sealed_key_id };
  try {
    const value = seal.open(stored, { topic, messageId: row.message_id ?? "" });
    // A name that is not a topic of the bus fails to decode as well.
    return { ...(await codec.decode(name as TopicName, value)) };
  } catch {
    return null;
  }
}

/** Masks the requirements in a request to a carrier, and the links that open a document without a key. */
function withoutSecrets(value: Values, order: Kind): Values {
  const { requirements, documents } = value;
  return {
    ...value,
    ...(Array.isArray(requirements)
      ? { requirements: requirements.map((one: Values) => maskRequirement(one, order)) }
      : {}),
    ...(Array.isArray(documents)
      ? { documents: documents.map((one: Values) => ({ ...one, url: null })) }
      : {}),
  };
}

function maskRequirement(requirement: Values, order: Kind): Values {
  const { slug, value } = requirement;
  if (typeof slug !== "string" || typeof value !== "string") return requirement;
  const sensitivity = definitionOf(order, slug)?.sensitivity ?? "hidden";
  return { ...requirement, value: maskValue(value, sensitivity) };
}
