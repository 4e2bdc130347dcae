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

/** The messages that nobody could handle: to look at, to replay, to discard. */
export function deadLetterRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    listRoute(bus),
    GET(`${PATH}/:id`, "Look at a dead letter", {
      answers: { 200: deadLetterAnswer },
      handle: async ({ params: { id } }) =>
        ok(await present(bus, found(await findDeadLetter(bus.pool, id)))),
    }),
    settleRoute(bus, "replay"),
    settleRoute(bus, "discard"),
  ];
}

function listRoute(bus: Bus): DeskRoute {
  return GET(PATH, "List the messages that nobody could handle", {
    description: "Of a value over 64 KiB the list shows null.",
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

const ACTS = {
  replay: { summary: "Have it read again", state: "replayed" },
  discard: { summary: "Put it away", state: "discarded" },
} as const;

/** One lock decides between two operators: a message is sent again once. */
function settleRoute(bus: Bus, act: keyof typeof ACTS): DeskRoute {
  const { summary, state } = ACTS[act];
  return POST(`${PATH}/:id/${act}`, summary, {
    answers: { 200: deadLetterAnswer },
    refuses: ["invalid_state"],
    handle: async (request) => {
      const { id } = request.params;
      const now = bus.clock.now();
      const settled = await inTransaction(bus.pool, async (tx) => {
        const letter = found(await lockDeadLetter(tx, id));
        if (letter.state !== "parked") {
          throw new AppError("invalid_state", `The message is ${letter.state} already.`);
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
 * The same bytes under the same message id: a consumer that handled it after all passes it over.
 * @throws `invalid_state` for one that leaves no room for our own headers
 */
async function sendAgain(bus: Bus, tx: Queryable, letter: DeadLetter): Promise<void> {
  const { topic, key, value, headers, message_id: known } = letter;
  const messageId = known ?? newId(bus.clock.now());
  try {
    await writeOutbox(tx, [{ messageId, topic, key, value, headers }]);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "rule_broken") throw cause;
    throw new AppError("invalid_state", "The message is too large to be sent again.", { cause });
  }
}

function found(letter: DeadLetter | null): DeadLetter {
  if (letter === null) throw new AppError("not_found", "There is no such dead letter.");
  return letter;
}
