import { pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../../services/platform/errors.ts";
import {
  exchangeOf,
  newEncoder,
  type Decoder,
  type Encoder,
  type Exchange,
} from "./protocol-exchange.ts";
import type { Sender } from "./admin-connection.ts";
import type { KafkaUsers } from "./kafka-users.ts";

const ITERATIONS = 4_096;
const SHA512_BYTES = 64;
/** The mechanism's number in the protocol. */
const SCRAM_SHA_512 = 2;

const derive = promisify(pbkdf2);

/**
 * Gives the users their passwords, which the broker stores salted; may be repeated. kafkajs knows no request for
 * that, but takes one.
 * @throws `stack_failed` with the broker's reason
 */
export async function setKafkaPasswords(sender: Sender, users: KafkaUsers): Promise<void> {
  const upsertions = await Promise.all(Object.entries(users).map(upsertion));
  const refusals = await sender.send(alterScramCredentials(upsertions));
  const refusal = refusals.find(({ errorCode }) => errorCode !== 0);
  if (refusal === undefined) return;
  const why = refusal.message ?? `error ${refusal.errorCode}`;
  throw new AppError("stack_failed", `Kafka refused the password of ${refusal.user}: ${why}`);
}

async function upsertion([name, password]: readonly [string, string]): Promise<Encoder> {
  const salt = randomBytes(24);
  const salted = await derive(password, salt, ITERATIONS, SHA512_BYTES, "sha512");
  return newEncoder()
    .writeUVarIntString(name)
    .writeInt8(SCRAM_SHA_512)
    .writeInt32(ITERATIONS)
    .writeUVarIntBytes(salt)
    .writeUVarIntBytes(salted)
    .writeUVarIntBytes();
}

interface Result {
  readonly user: string | null;
  readonly errorCode: number;
  readonly message: string | null;
}

/** AlterUserScramCredentials, version 0 (KIP-554); the empty bytes are the tagged fields of each structure. */
function alterScramCredentials(upsertions: readonly Encoder[]): Exchange<Result[]> {
  const encoded = newEncoder()
    .writeUVarIntBytes()
    .writeUVarIntArray([])
    .writeUVarIntArray(upsertions)
    .writeUVarIntBytes();
  return exchangeOf({ key: 51, name: "AlterUserScramCredentials" }, encoded, decodeResults);
}

function decodeResults(decoder: Decoder): Result[] {
  decoder.readTaggedFields();
  decoder.readInt32(); // throttle time
  return decoder.readUVarIntArray((one) => {
    const result = {
      user: one.readUVarIntString(),
      errorCode: one.readInt16(),
      message: one.readUVarIntString(),
    };
    one.readTaggedFields();
    return result;
  });
}
