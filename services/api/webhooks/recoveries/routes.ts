import { z } from "zod";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { FairSlots, refusedAs } from "../../../platform/fair-slots.ts";
import { notFound } from "../../../platform/http/body/check-request.ts";
import { instant, optionalOrNull } from "../../../platform/http/body/fields.ts";
import { idText } from "../../../platform/http/routing/answer-fields.ts";
import { accepted, noContent, ok } from "../../../platform/http/routing/reply.ts";
import {
  DELETE,
  GET,
  POST,
  type CustomerPath,
  type CustomerRoute,
} from "../../access/customer-routes.ts";
import type { ApiDeps } from "../../api-deps.ts";
import { ownEndpoint } from "../endpoints/routes.ts";
import {
  cancelRecovery,
  findRecovery,
  hasRecovery,
  RECOVERY_MODES,
  startRecovery,
} from "./store.ts";

/** A recovery (docs/contract/customer-api.md, Webhook deliveries); `running` until every event was delivered or failed. */
export const recoveryAnswer = z
  .object({
    id: idText("The recovery's id"),
    status: z
      .enum(["running", "completed", "cancelled"])
      .meta({ description: "`running` until every event was delivered or failed" }),
    total: z.int().meta({ description: "Events found when the recovery was requested" }),
    queued: z.int().meta({
      description: "Events for which a delivery has been made so far, whatever became of it",
    }),
    succeeded: z.int().meta({ description: "Events that were delivered" }),
    failed: z.int().meta({ description: "Events that could not be delivered" }),
  })
  .meta({ id: "WebhookRecovery", description: "Sending events again that an endpoint missed" });

type RecoveryDeps = Pick<ApiDeps, "bus" | "maxRecoveredEvents">;

const PATH = "/v2/webhook_recoveries/:id";

const recoverBody = z.strictObject({
  since: instant().meta({
    description: "The start of the range: ISO 8601 with an offset, in the past",
    examples: ["2026-03-01T00:00:00Z"],
  }),
  until: optionalOrNull(instant()).describe(
    "The end of the range, later than `since`; now unless given",
  ),
  mode: z.enum(RECOVERY_MODES).meta({
    description:
      "`failed`: deliveries that failed; `missing`: events that were skipped or never sent; `all`: every event",
  }),
  dry_run: z.boolean().default(false).describe("Counts the events and sends none"),
});

/** Counts take up to a minute, and others need the connections for endpoints too. */
const COUNTS = { total: 2, perOwner: 1, maxWaiting: Infinity, maxWaitMs: 1_000 };

const tooManyCounts = refusedAs(
  "Too many recoveries are being counted, or one of this account is. Try again.",
);

/** Recoveries: resending the events that an endpoint missed. */
export function webhookRecoveryRoutes(deps: RecoveryDeps): CustomerRoute[] {
  return [recoverRoute(deps), readRoute(), cancelRoute(deps)];
}

function recoverRoute({ bus: { clock }, maxRecoveredEvents: maxEvents }: RecoveryDeps) {
  const counts = new FairSlots(COUNTS);
  return POST("/v2/webhook_endpoints/:id/recover", "Resend the events that an endpoint missed", {
    description:
      "For the events of a range of time: those whose delivery failed, those that were skipped or never sent, or all. First attempts of new events go before them.",
    answers: { 202: recoveryAnswer },
    refuses: ["invalid_state", "endpoint_paused", "quota_exceeded"],
    find: ownEndpoint,
    body: recoverBody,
    inSlot: ({ principal }, run) => counts.run(principal.accountId, run).catch(tooManyCounts),
    handle: async ({ db, principal: { accountId }, params: { id }, body }) => {
      const now = clock.now();
      const request = { ...rangeOf(body, now), mode: body.mode, dryRun: body.dry_run };
      const recovery = await inTransaction(db, (tx) =>
        startRecovery(tx, { accountId, now, maxEvents }, { endpointId: id, ...request }),
      );
      return accepted(recovery);
    },
  });
}

interface GivenRange {
  readonly since: Date;
  readonly until?: Date | undefined;
}

/** Ends at now at the latest, since later events are sent anyway. @throws `validation_failed` if the range is empty */
function rangeOf(given: GivenRange, now: Date): { since: Date; until: Date } {
  const { since, until = now } = given;
  const end = until < now ? until : now;
  if (since < end) return { since, until: end };
  const [pointer, detail] =
    since < now
      ? ["#/until", "It must be later than since."]
      : ["#/since", "It must be in the past."];
  throw new AppError("validation_failed", "The request is not valid.", {
    faults: [{ pointer, code: "invalid_range", detail }],
  });
}

/** The `find` of a route under a recovery's path; it counts no deliveries. */
async function ownRecovery({ db, principal, params: { id } }: CustomerPath): Promise<void> {
  if (!(await hasRecovery(db, principal.accountId, id))) throw notFound();
}

function readRoute() {
  return GET(PATH, "Read the progress of a recovery", {
    description:
      "`queued` counts the deliveries made so far, `succeeded` and `failed` those of them that have ended.",
    answers: { 200: recoveryAnswer },
    find: ownRecovery,
    handle: async ({ db, principal: { accountId }, params: { id } }) =>
      ok(await findRecovery(db, accountId, id)),
  });
}

function cancelRoute({ bus: { clock } }: RecoveryDeps) {
  return DELETE(PATH, "Cancel a recovery", {
    description:
      "What is not sent yet is not sent; what was stays in the delivery log. One that is over stays as it is, and is 204 too.",
    answers: { 204: null },
    find: ownRecovery,
    handle: async ({ db, principal: { accountId }, params: { id } }) => {
      const context = { accountId, now: clock.now() };
      await inTransaction(db, (tx) => cancelRecovery(tx, context, id));
      return noContent();
    },
  });
}
