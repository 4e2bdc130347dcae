import type { Clock } from "../../../platform/clock.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import { newId, uuidIn } from "../../../platform/ids.ts";
import type { DeadLetterNote, DescribeDeadLetter } from "../../../platform/kafka/dead-letters.ts";
import type { RawMessage } from "../../../platform/kafka/raw-message.ts";

/** Consumers of events may not write timelines themselves. */
const NOTE = "select orders.note_dead_letter($1, $2, $3, $4)";

/** The order whose id is a message's key. */
export function orderIdOf({ key }: Pick<RawMessage, "key">): string | null {
  return uuidIn(key?.toString("utf8"));
}

/** A message that is dead-lettered, and the order that it is about. */
export interface LetterOfOrder {
  readonly raw: RawMessage;
  readonly orderId: string | null;
}

/** Notes a dead-lettered message for the desk in the timeline of its order, if there is one. */
export function noteInTimeline(clock: Clock, { raw, orderId }: LetterOfOrder): DeadLetterNote {
  return async (tx, { code, detail }) => {
    if (orderId === null) return;
    const now = clock.now();
    const letter = { topic: raw.topic, code, detail };
    await queryRows(tx, {
      name: "dead-letter-note",
      text: NOTE,
      values: [newId(now), orderId, now, JSON.stringify(letter)],
    });
  };
}

/** For topics whose keys are the orders that their messages are about. */
export function describeByKey(clock: Clock): DescribeDeadLetter {
  return (raw) => ({ note: noteInTimeline(clock, { raw, orderId: orderIdOf(raw) }) });
}
