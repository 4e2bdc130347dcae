import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { pageOf, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { lead, viewer, type DeskRoute } from "../access/desk-routes.ts";
import { byOperator } from "../access/operator.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { deadLetterAnswer, present } from "./answers.ts";
import { bulkRoutes } from "./bulk-routes.ts";
import { deadLetterFilter, filterOf } from "./filter.ts";
import { sendAgain } from "./send-again.ts";
import {
  DEAD_LETTER_STATES,
  findDeadLetter,
  listDeadLetters,
  lockDeadLetter,
  settleDeadLetters,
  type DeadLetter,
} from "./store/dead-letters.ts";

const PATH = "/desk/v1/dead_letters";

/** Dead letters: list, read, replay, discard, one by one or all that match a filter. */
export function deadLetterRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    listRoute(bus),
    viewer.GET(`${PATH}/:id`, "Read a dead letter", {
      description: "With its value whole, however large, sensitive values masked.",
      answers: { 200: deadLetterAnswer },
      find: async ({ db, params }) => found(await findDeadLetter(db, params.id)),
      handle: async ({ db, params: { id } }) =>
        ok(await present(bus, found(await findDeadLetter(db, id)))),
    }),
    settleRoute(bus, "replay"),
    settleRoute(bus, "discard"),
    ...bulkRoutes(bus),
  ];
}

function listRoute(bus: RouteBus): DeskRoute {
  return viewer.GET(PATH, "List the dead letters", {
    description: "The list shows null for a value over 64 KiB, and ends a page after 1 MiB.",
    answers: { 200: listOf(deadLetterAnswer) },
    query: z.strictObject({
      ...pageQuery,
      ...deadLetterFilter,
      state: z
        .array(z.enum(DEAD_LETTER_STATES))
        .optional()
        .describe("Those in any of these states; all unless given"),
    }),
    handle: async (request) => {
      const { db, query } = request;
      const range = await rangeFrom(query, (id) => findDeadLetter(db, id));
      const filter = { ...filterOf(bus, query), state: query.state };
      const { rows, hasMore } = await listDeadLetters(db, { range, filter });
      const shown = await Promise.all(rows.map((letter) => present(bus, letter)));
      return pageOf(request, { rows: shown, hasMore });
    },
  });
}

const ACTIONS = {
  replay: {
    summary: "Replay a dead letter",
    description:
      "The same bytes go to the same topic again, where a consumer that has handled the message since skips it. A parked one only.",
    state: "replayed",
  },
  discard: {
    summary: "Discard a dead letter",
    description: "Nothing is sent; it stays in the list. A parked one only.",
    state: "discarded",
  },
} as const;

/** Locks the row, so that two operators cannot send the same message twice. */
function settleRoute(bus: RouteBus, act: keyof typeof ACTIONS): DeskRoute {
  const { summary, description, state } = ACTIONS[act];
  return lead.POST(`${PATH}/:id/${act}`, summary, {
    description,
    answers: { 200: deadLetterAnswer },
    refuses: ["invalid_state"],
    find: async ({ db, params }) => found(await findDeadLetter(db, params.id)),
    handle: async (request) => {
      const { id } = request.params;
      const now = bus.clock.now();
      const settled = await inTransaction(request.db, async (tx) => {
        const letter = found(await lockDeadLetter(tx, id));
        if (letter.state !== "parked") {
          throw new AppError("invalid_state", `The dead letter was ${letter.state} already.`);
        }
        if (act === "replay" && (await sendAgain(bus, tx, [letter])).length === 0) {
          throw new AppError("invalid_state", "The message is too large to be sent again.");
        }
        await settleDeadLetters(tx, [id], { state, now });
        const { topic, kafka_partition: partition, kafka_offset: offset } = letter;
        await writeAudit(tx, {
          ...byOperator(request, now),
          action: `dead_letter.${state}`,
          before: { state: letter.state },
          after: { state, dead_letter_id: id, topic, partition, offset },
        });
        return { ...letter, state };
      });
      return ok(await present(bus, settled));
    },
  });
}

function found(letter: DeadLetter | null): DeadLetter {
  if (letter === null) throw new AppError("not_found", "There is no such dead letter.");
  return letter;
}
