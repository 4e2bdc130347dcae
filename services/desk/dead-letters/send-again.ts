import type { RouteBus } from "../../messages/bus/bus.ts";
import { requireSendable } from "../../messages/bus/outgoing.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { outboxRows, writeOutbox, type OutgoingMessage } from "../../platform/outbox/outbox.ts";
import type { DeadLetter } from "./store/dead-letters.ts";

/**
 * Sends the same bytes under the same message ids: a consumer that has handled one since skips it. Returns the letters
 * that are sent again; a message that is too large with our own headers is not.
 */
export async function sendAgain(
  bus: RouteBus,
  tx: Queryable,
  letters: readonly DeadLetter[],
): Promise<readonly DeadLetter[]> {
  const sent = letters
    .map((letter) => ({ letter, message: messageOf(bus, letter) }))
    .filter(({ message }) => fits(bus, message));
  await writeOutbox(
    tx,
    sent.map(({ message }) => message),
  );
  return sent.map(({ letter }) => letter);
}

/** A sealed value stays so: it belongs to the same message. */
function messageOf(bus: RouteBus, letter: DeadLetter): OutgoingMessage {
  const { topic, key, headers, message_id: known, sealed_key_id: sealedKeyId } = letter;
  const messageId = known ?? newId(bus.clock.now());
  const stored =
    sealedKeyId === null
      ? bus.seal.seal(letter.value, { topic, messageId })
      : { value: letter.value, sealedKeyId };
  return { messageId, topic, key, headers, ...stored };
}

function fits({ topicPrefix }: RouteBus, message: OutgoingMessage): boolean {
  try {
    requireSendable(topicPrefix, message);
    return outboxRows([message]).length === 1;
  } catch (error) {
    if (error instanceof AppError && error.code === "rule_broken") return false;
    throw error;
  }
}
