import { z } from "zod";
import { idText, listOf, timeText } from "../../platform/http/routing/answer-fields.ts";
import { maskValues } from "../../domain/account/rules/audit-entry.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import type { DeadLetter } from "./store/dead-letters.ts";
import {
  DEAD_LETTER_STATES,
  findDeadLetter,
  listDeadLetters,
  lockDeadLetter,
  settleDeadLetter,
} from "./store/dead-letters.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { TopicName } from "../../messages/topics.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { page, pageQuery, scanFrom } from "../../platform/http/paging/paging.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { byOperator } from "../access/operator.ts";
import { GET, POST, type DeskRoute } from "../access/desk-routes.ts";

const PATH = "/desk/v1/dead_letters";
const deadLetterAnswer = z.object({
  id: idText(),
  topic: z.string().meta({ examples: ["carriers.updates"] }),
  partition: z.int(),
  offset: z.int(),
  key: z.string().nullable(),
  consumer: z.string().meta({ examples: ["carrier-adapter"] }),
  error_code: z.string().meta({ examples: ["undecodable"] }),
  error_detail: z.string().meta({ examples: ["The value does not begin as a message does."] }),
  value: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ examples: [null] }),
  state: z.enum(DEAD_LETTER_STATES),
  created_at: timeText(),
});

/** The messages that nobody could handle: to look at, to send again, to put away. */
export function deadLetterRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    listRoute(bus),
    GET(`${PATH}/:id`, "Look at a dead letter", {
      answers: { 200: deadLetterAnswer },
      handle: async ({ params: { id } }) =>
        ok(await present(bus, found(await findDeadLetter(bus.pool, id)))),
    }),
    settleRoute(bus, {
      path: "replay",
      summary: "Have it read again",
      state: "replayed",
      effect: sendAgain,
    }),
    settleRoute(bus, {
      path: "discard",
      summary: "Put it away",
      state: "discarded",
      effect: nothing,
    }),
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
      const knows = async (id: string) => (await findDeadLetter(bus.pool, id)) !== null;
      const scan = await scanFrom(query, knows);
      const filter = {
        state: query.state,
        topic: query.topic === undefined ? undefined : bus.topicPrefix + query.topic,
        errorCode: query.error_code,
      };
      const letters = await listDeadLetters(bus.pool, { range: idRange(scan, query), filter });
      const rows = await Promise.all(letters.map((letter) => present(bus, letter)));
      return page(request, { rows, id: (row) => row.id, present: (row) => row });
    },
  });
}

interface Settling {
  readonly path: string;
  readonly summary: string;
  readonly state: "replayed" | "discarded";
  readonly effect: (bus: Bus, tx: Queryable, letter: DeadLetter) => Promise<void>;
}

/** One lock decides between two operators: a message is sent again once. */
function settleRoute(bus: Bus, { path, summary, state, effect }: Settling): DeskRoute {
  return POST(`${PATH}/:id/${path}`, summary, {
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
        await effect(bus, tx, letter);
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
      bus.hint.poke();
      return ok(await present(bus, settled));
    },
  });
}

const nothing = (): Promise<void> => Promise.resolve();

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

async function present(bus: Bus, letter: DeadLetter) {
  const { id, consumer, key, value, error_code, error_detail, state, created_at } = letter;
  const topic = letter.topic.slice(bus.topicPrefix.length);
  return {
    id,
    topic,
    partition: letter.kafka_partition,
    offset: letter.kafka_offset,
    key: key?.toString() ?? null,
    consumer,
    error_code,
    error_detail,
    value: await decoded(bus, topic, value),
    state,
    created_at,
  };
}

/** What it says, PINs masked; where nobody can read it, its bytes in base64. */
async function decoded(bus: Bus, topic: string, value: Buffer | null): Promise<unknown> {
  if (value === null) return null;
  try {
    // Where the name is none of the bus's, decoding fails like any other.
    return maskValues({ ...(await bus.codec.decode(topic as TopicName, value)) });
  } catch {
    return { base64: value.toString("base64") };
  }
}
