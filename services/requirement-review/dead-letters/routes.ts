import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { GET, POST, type DeskRoute } from "../access/desk-routes.ts";
import { byOperator } from "../access/operator.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { deadLetterAnswer, present } from "./answers.ts";
import {
  DEAD_LETTER_STATES,
  findDeadLetter,
  listDeadLetters,
  lockDeadLetter,
  settleDeadLetter,
  type DeadLetter,
} from "./store/dead-letters.ts";

const PATH = "/desk/v1/dead_letters";

/** Dead letters: list, read, replay, discard. */
export function deadLetterRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    listRoute(bus),
    GET(`${PATH}/:id`, "Read a dead letter", {
      answers: { 200: deadLetterAnswer },
      handle: async ({ params: { id } }) =>
        ok(await present(bus, found(await findDeadLetter(bus.pool, id)))),
    }),
    settleRoute(bus, "replay"),
    settleRoute(bus, "discard"),
  ];
}

function listRoute(bus: Bus): DeskRoute {
  return GET(PATH, "List the dead letters", {
    description: "The list shows null for a value over 64 KiB.",
    answers: { 200: listOf(deadLetterAnswer) },
    query: z.strictObject({
      ...pageQuery,
      state: z.array(z.enum(DEAD_LETTER_STATES)).optional(),
      topic: z.string().optional(),
      error_code: z.string().optional(),
    }),
    handle: async (request) => {
      const { query } = request;
      const range = await rangeFrom(query, (id) => findDeadLetter(bus.pool, id));
      const filter = {
        state: query.state,
        topic: query.topic === undefined ? undefined : bus.topicPrefix + query.topic,
        errorCode: query.error_code,
      };
      const letters = await listDeadLetters(bus.pool, { range, filter });
      const rows = await Promise.all(letters.map((letter) => present(bus, letter)));
      return page(request, rows);
    },
  });
}

const ACTIONS = {
  replay: { summary: "Replay a dead letter", state: "replayed" },
  discard: { summary: "Discard a dead letter", state: "discarded" },
} as const;

/** Locks the row, so that two operators cannot send the same message twice. */
function settleRoute(bus: Bus, act: keyof typeof ACTIONS): DeskRoute {
  const { summary, state } = ACTIONS[act];
  return POST(`${PATH}/:id/${act}`, summary, {
    answers: { 200: deadLetterAnswer },
    refuses: ["invalid_state"],
    handle: async (request) => {
      const { id } = request.params;
      const now = bus.clock.now();
      const settled = await inTransaction(bus.pool, async (tx) => {
        const letter = found(await lockDeadLetter(tx, id));
        if (letter.state !== "parked") {
          throw new AppError("invalid_state", `The dead letter was ${letter.state} already.`);
        }
        if (act === "replay") await sendAgain(bus, tx, letter);
        await settleDeadLetter(tx, id, { state, now });
        const { topic, kafka_partition: partition, kafka_offset: offset } = letter;
        await writeAudit(tx, {
          ...byOperator(request, now),
          action: `dead_letter.${state}`,
          before: { state: letter.state },
          after: { state, dead_letter_id: id, topic, partition, offset },
        });
        return { ...letter, state };
      });
      bus.hint.notify();
      return ok(await present(bus, settled));
    },
  });
}

/**
 * Sends the same bytes under the same message id: a consumer that has handled it since skips it. A sealed value stays
 * so: it belongs to the same message.
 * @throws `invalid_state` where the message is too large with our own headers
 */
async function sendAgain(bus: Bus, tx: Queryable, letter: DeadLetter): Promise<void> {
  const { topic, key, headers, message_id: known, sealed_key_id: sealedKeyId } = letter;
  const messageId = known ?? newId(bus.clock.now());
  try {
    const stored =
      sealedKeyId === null
        ? bus.seal.seal(letter.value, { topic, messageId })
        : { value: letter.value, sealedKeyId };
    await writeOutbox(tx, [{ messageId, topic, key, headers, ...stored }]);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "rule_broken") throw cause;
    throw new AppError("invalid_state", "The message is too large to be sent again.", { cause });
  }
}

function found(letter: DeadLetter | null): DeadLetter {
  if (letter === null) throw new AppError("not_found", "There is no such dead letter.");
  return letter;
}
