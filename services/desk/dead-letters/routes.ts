import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import type { Bus, RouteBus } from "../../messages/bus/bus.ts";
import { requireSendable } from "../../messages/bus/outgoing.ts";
import { countedRange } from "../../platform/db/count-rows.ts";
import { idRange, type CreatedWithin } from "../../platform/db/id-range.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { instant, uuid } from "../../platform/http/body/fields.ts";
import { pageOf, pageQuery, rangeFrom, type FilterParameters } from "../../platform/http/paging.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { outboxRows, writeOutbox, type OutgoingMessage } from "../../platform/outbox/outbox.ts";
import {
  byOperator,
  lead,
  viewer,
  type DeskRoute,
  type OperatorRequest,
} from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { exportRoute } from "../lists/export-route.ts";
import { countedListOf, totalQuery, withTotal } from "../lists/list-query.ts";
import { deadLetterAnswer, present } from "./answers.ts";
import {
  countLetters,
  countOpenLetters,
  DEAD_LETTER_STATES,
  findDeadLetter,
  listDeadLetters,
  lockDeadLetter,
  lockOpenLetters,
  settleDeadLetters,
  type DeadLetter,
  type DeadLetterFilter,
} from "./store.ts";

/** Beside their state, which a bulk command limits. */
type GivenFilter = Omit<DeadLetterFilter, "state">;

/** What dead letters are chosen by, in the list's query as in a bulk command's body. */
const deadLetterFilter = {
  topic: z
    .string()
    .optional()
    .meta({
      description: "From this topic, named without the deployment's prefix",
      examples: ["carriers.updates"],
    }),
  error_code: z
    .string()
    .optional()
    .meta({ description: "With this code", examples: ["undecodable"] }),
  key: z.string().optional().meta({ description: "The message's key, such as the order's id" }),
  account_id: uuid().optional().meta({
    description:
      "Of the order that the message names, or of the order, number or port-out that is its key",
  }),
  consumer: z
    .string()
    .optional()
    .meta({
      description: "Those that this consumer could not handle",
      examples: ["carrier-adapter"],
    }),
} satisfies FilterParameters<GivenFilter>;

/** The parameters name a topic without the deployment's prefix. */
function filterOf(
  { topicPrefix }: Pick<Bus, "topicPrefix">,
  { topic, error_code, key, account_id, consumer }: GivenFilter,
): Required<GivenFilter> {
  const named = topic === undefined ? undefined : topicPrefix + topic;
  return { topic: named, error_code, key, account_id, consumer };
}

const PATH = "/desk/v1/dead_letters";

/** Dead letters: list, read, replay, discard, one by one or all that match a filter. */
export function deadLetterRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    listRoute(bus),
    exportRoute(PATH, {
      name: "dead-letters",
      answer: deadLetterAnswer,
      query: listQuery,
      read: (request, query) => readPage(bus, request, query),
    }),
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
    answers: { 200: countedListOf(deadLetterAnswer) },
    query: listQuery,
    handle: async (request) => {
      const { db, query } = request;
      const reply = pageOf(request, await readPage(bus, request, query));
      const filter = { ...filterOf(bus, query), state: query.state };
      return withTotal(request, reply, () =>
        countLetters(db, { range: countedRange(query), filter }),
      );
    },
  });
}

const listQuery = z.strictObject({
  ...pageQuery,
  ...totalQuery,
  ...deadLetterFilter,
  state: z
    .array(z.enum(DEAD_LETTER_STATES))
    .optional()
    .describe("Those in any of these states; all unless given"),
});

async function readPage(
  bus: RouteBus,
  { db }: Pick<OperatorRequest, "db">,
  query: z.output<typeof listQuery>,
) {
  const range = await rangeFrom(query, (id) => findDeadLetter(db, id));
  const filter = { ...filterOf(bus, query), state: query.state };
  const { rows, hasMore } = await listDeadLetters(db, { range, filter });
  return { rows: await Promise.all(rows.map((letter) => present(bus, letter))), hasMore };
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

/**
 * Sends the same bytes under the same message ids: a consumer that has handled one since skips it. Returns the letters
 * that are sent again; a message that is too large with our own headers is not.
 */
async function sendAgain(
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

/** Few at a time, because a value may have 2 MiB. */
const BATCH = 20;
const MOST = 1_000;

const bulkBody = z.strictObject({
  filter: z
    .strictObject({
      ...deadLetterFilter,
      state: z
        .union([z.literal("parked"), z.array(z.literal("parked"))])
        .optional()
        .describe("As in the list, where it has the others too, which are settled already"),
      created_after: instant().optional().describe("Dead-lettered at this time or later"),
      created_before: instant().optional().describe("Dead-lettered before this time"),
    })
    .describe("Parked ones that match all of it; `{}` is every parked one"),
  dry_run: z.boolean().default(false).describe("Only counts those that match"),
});

const bulkAnswer = z.object({
  matched: z.int().meta({ description: "Parked dead letters that matched", examples: [12] }),
  done: z.int().meta({ description: "Those replayed or discarded; 0 for a dry run" }),
});

const BULK_ACTIONS = {
  replay: { summary: "Replay the parked dead letters that match", state: "replayed" },
  discard: { summary: "Discard the parked dead letters that match", state: "discarded" },
} as const;

type Act = keyof typeof BULK_ACTIONS;

/** What an operator does with all dead letters that match a filter, oldest first. */
function bulkRoutes(bus: RouteBus): DeskRoute[] {
  return [bulkRoute(bus, "replay"), bulkRoute(bus, "discard")];
}

function bulkRoute(bus: RouteBus, act: Act): DeskRoute {
  return lead.POST(`${PATH}/${act}`, BULK_ACTIONS[act].summary, {
    description: `At most ${MOST.toLocaleString("en")} at once: repeat it while \`matched\` is more than \`done\`. One that is \
too large to be sent again, or that somebody else has just taken, is left.`,
    answers: { 200: bulkAnswer },
    body: bulkBody,
    handle: async (request) => {
      const { filter: given, dry_run: isDryRun } = request.body;
      const { created_after, created_before } = given;
      const scope = { filter: filterOf(bus, given), created: { created_after, created_before } };
      const matched = await countOpenLetters(request.db, {
        ...scope,
        range: rangeAfter(null, scope),
      });
      const done = isDryRun ? 0 : await settleAll({ bus, request, act }, scope);
      return ok({ matched, done });
    },
  });
}

interface Scope {
  readonly filter: DeadLetterFilter;
  readonly created: CreatedWithin;
}

function rangeAfter(cursorId: string | null, { created }: Scope) {
  return idRange({ direction: "asc", cursorId, fetch: BATCH }, created);
}

interface BulkAction {
  readonly bus: RouteBus;
  readonly request: OperatorRequest;
  readonly act: Act;
}

/** One transaction per batch, with its audit entry; under an Idempotency-Key all of them are one. */
async function settleAll(action: BulkAction, scope: Scope): Promise<number> {
  let done = 0;
  let seen = 0;
  let cursor: string | null = null;
  do {
    const batch = await settleBatch(action, scope, cursor);
    cursor = batch.last;
    done += batch.done;
    seen += BATCH;
  } while (cursor !== null && seen < MOST);
  return done;
}

interface SettledBatch {
  readonly done: number;
  /** The id of the last one looked at; null where there are no more. */
  readonly last: string | null;
}

function settleBatch(
  { bus, request, act }: BulkAction,
  scope: Scope,
  after: string | null,
): Promise<SettledBatch> {
  const { state } = BULK_ACTIONS[act];
  const now = bus.clock.now();
  return inTransaction(request.db, async (tx) => {
    const range = rangeAfter(after, scope);
    const letters = await lockOpenLetters(tx, { range, filter: scope.filter });
    const settled = act === "replay" ? await sendAgain(bus, tx, letters) : letters;
    const ids = settled.map(({ id }) => id);
    if (ids.length > 0) {
      await settleDeadLetters(tx, ids, { state, now });
      await writeAudit(tx, {
        ...byOperator(request, now),
        action: `dead_letter.${state}`,
        before: { state: "parked" },
        after: { state, dead_letter_ids: ids },
      });
    }
    const last = letters.length < BATCH ? null : (letters.at(-1)?.id ?? null);
    return { done: ids.length, last };
  });
}
