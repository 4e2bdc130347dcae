import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { idRange, type CreatedWithin } from "../../platform/db/id-range.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { instant } from "../../platform/http/body/fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { lead, type DeskRoute } from "../access/desk-routes.ts";
import { byOperator, type OperatorRequest } from "../access/operator.ts";
import { deadLetterFilter, filterOf } from "./filter.ts";
import { sendAgain } from "./send-again.ts";
import {
  countOpenLetters,
  lockOpenLetters,
  settleDeadLetters,
  type DeadLetterFilter,
} from "./store/dead-letters.ts";

const PATH = "/desk/v1/dead_letters";
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

export const bulkAnswer = z.object({
  matched: z.int().meta({ description: "Parked dead letters that matched", examples: [12] }),
  done: z.int().meta({ description: "Those replayed or discarded; 0 for a dry run" }),
});

const ACTIONS = {
  replay: { summary: "Replay the parked dead letters that match", state: "replayed" },
  discard: { summary: "Discard the parked dead letters that match", state: "discarded" },
} as const;

type Act = keyof typeof ACTIONS;

/** What an operator does with all dead letters that match a filter, oldest first. */
export function bulkRoutes(bus: RouteBus): DeskRoute[] {
  return [bulkRoute(bus, "replay"), bulkRoute(bus, "discard")];
}

function bulkRoute(bus: RouteBus, act: Act): DeskRoute {
  return lead.POST(`${PATH}/${act}`, ACTIONS[act].summary, {
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
  const { state } = ACTIONS[act];
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
