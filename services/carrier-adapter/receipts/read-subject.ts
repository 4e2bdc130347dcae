import type { ReceiptSubject } from "../../domain/carrier/rules/receipt.ts";
import type { Stream } from "../../messages/bus/stream.ts";
import { classifyError } from "../../platform/kafka/classify-error.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";

type Reader = Pick<Stream, "codec" | "topicPrefix">;

/**
 * Who published a message that is dead-lettered, and what it is about. Bytes that cannot be read, or must not be, leave
 * the header `provider`, which a sender may set.
 * @throws retryable errors of the registry
 */
export async function readSubject(
  reader: Reader,
  raw: RawMessage,
  isReadable: boolean,
): Promise<ReceiptSubject> {
  const byHeader = { provider: raw.headers["provider"] ?? "" };
  if (!isReadable) return byHeader;
  try {
    return await decodeSubject(reader, raw);
  } catch (error) {
    if (classifyError(error) !== "poison") throw error;
    return byHeader;
  }
}

async function decodeSubject(
  { codec, topicPrefix }: Reader,
  { topic, value }: RawMessage,
): Promise<ReceiptSubject> {
  switch (topic.slice(topicPrefix.length)) {
    case "carriers.updates": {
      const { provider, update_id, order_id } = await codec.decode("carriers.updates", value);
      return { provider, update_id, order_id };
    }
    case "carriers.port-outs": {
      const update = await codec.decode("carriers.port-outs", value);
      const { provider, update_id, port_out_ref } = update;
      return { provider, update_id, port_out_ref };
    }
    case "carriers.calls": {
      const { provider, call_id } = await codec.decode("carriers.calls", value);
      return { provider, call_id };
    }
    case "porting.carrier-requests": {
      const { provider, order_id } = await codec.decode("porting.carrier-requests", value);
      return { provider, ...(order_id === null ? {} : { order_id }) };
    }
    default:
      return { provider: "" };
  }
}
