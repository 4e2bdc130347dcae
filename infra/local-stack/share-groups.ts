import { AppError } from "../../services/platform/errors.ts";
import { exchangeOf, newEncoder, type Decoder, type Exchange } from "./protocol-exchange.ts";
import type { Sender } from "./admin-connection.ts";

const FEATURE = "share.version";
const OFF = 0;
/** It lowers a level, and only where nothing is lost by it. */
const SAFE_DOWNGRADE = 2;
const TIMEOUT_MS = 10_000;

/**
 * Has the cluster refuse share groups, which nobody here uses and no setting of a broker ends; may be repeated. The
 * cluster keeps it, a folder of an earlier version from its next start on.
 * @throws `stack_failed` with the broker's reason
 */
export async function endShareGroups(sender: Sender): Promise<void> {
  const { errorCode, message } = await sender.send(updateFeatures());
  if (errorCode === 0) return;
  const why = message ?? `error ${errorCode}`;
  throw new AppError("stack_failed", `Kafka refused to end share groups: ${why}`);
}

interface Result {
  readonly errorCode: number;
  readonly message: string | null;
}

/** UpdateFeatures, version 1 (KIP-778); the empty bytes are the tagged fields of each structure. */
function updateFeatures(): Exchange<Result> {
  const update = newEncoder()
    .writeUVarIntString(FEATURE)
    .writeInt16(OFF)
    .writeInt8(SAFE_DOWNGRADE)
    .writeUVarIntBytes();
  const encoded = newEncoder()
    .writeUVarIntBytes()
    .writeInt32(TIMEOUT_MS)
    .writeUVarIntArray([update])
    .writeBoolean(false)
    .writeUVarIntBytes();
  return exchangeOf({ key: 57, name: "UpdateFeatures", version: 1 }, encoded, decodeResult);
}

function decodeResult(decoder: Decoder): Result {
  decoder.readTaggedFields();
  decoder.readInt32(); // throttle time
  const whole = { errorCode: decoder.readInt16(), message: decoder.readUVarIntString() };
  const results = decoder.readUVarIntArray((one) => {
    one.readUVarIntString(); // the feature
    const result = { errorCode: one.readInt16(), message: one.readUVarIntString() };
    one.readTaggedFields();
    return result;
  });
  return whole.errorCode !== 0
    ? whole
    : (results.find(({ errorCode }) => errorCode !== 0) ?? whole);
}
