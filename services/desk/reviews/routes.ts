import { z } from "zod";
import { includesRole, OPERATOR_ROLES } from "../../domain/account/rules/operator-role.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import { countryCodeParameter } from "../../domain/number/answers/number-fields.ts";
import { findLatestCase } from "../../domain/review/store/cases.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import {
  instant,
  optionalOrNull,
  textUpTo,
  uuid,
  writtenText,
} from "../../platform/http/body/fields.ts";
import {
  pageOf,
  pageQuery,
  pageRows,
  scanFrom,
  type FilterParameters,
} from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { accepted, ok, type Reply } from "../../platform/http/routing/reply.ts";
import {
  byOperator,
  lead,
  reviewer,
  viewer,
  type DeskRoute,
  type OperatorRequest,
} from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { exportRoute } from "../lists/export-route.ts";
import { reviewerAnswer } from "../operators/answers.ts";
import { listReviewers } from "../operators/store.ts";
import { caseAnswer, queueAnswer, queuedCaseAnswer, rejectionReasonAnswer } from "./answers.ts";
import { claimCase, type CaseRequest, type ClaimAct, type ClaimContext } from "./claim-case.ts";
import { presentCase, readCase, unmaskedSlugs } from "./present-case.ts";
import type { Counts } from "./queue-counts.ts";
import { recordDecision, REJECTION_REASONS } from "./record-decision.ts";
import { claimNextCase, listOpenCases, type QueueFilter } from "./store.ts";

/** The filters that a query and a body spell alike. */
const queueFilters = {
  country_code: countryCodeParameter("Cases of orders of this country"),
  number_type: z.enum(NUMBER_TYPES).describe("Cases of orders of this number type"),
  provider: z.string().min(1).max(64).describe("Cases of orders of this provider"),
  account_id: uuid().describe("Cases of this account"),
  due_before: instant().describe("Cases due before this time"),
  claimed_by: z
    .union([z.enum(["me", "none"]), uuid()])
    .describe("Cases that the caller (`me`), nobody (`none`) or the operator with this id claimed"),
  q: writtenText(128).describe(
    "Cases with this number in any form or by its last 4 or more digits, of the order or account with this id, or whose customer reference or account name contains it",
  ),
} satisfies FilterParameters<Omit<QueueFilter, "overdue">>;

const OVERDUE = "Only overdue cases (`true`), or only those that are not (`false`)";

/** Longest waiting first by default, unlike other lists. */
const queueQuery = z.strictObject({
  limit: pageQuery.limit,
  starting_after: pageQuery.starting_after,
  ending_before: pageQuery.ending_before,
  order: z
    .enum(["asc", "desc"])
    .default("asc")
    .describe("Longest waiting (`asc`) or latest first; with `order_by` due first or last"),
  order_by: z.enum(["due_at"]).optional().describe("By when they are due"),
  ...z.strictObject(queueFilters).partial().shape,
  overdue: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe(OVERDUE),
});

const caseReading = z.strictObject({
  masked: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe(
      "With sensitive values masked for any role (`true`), which is not recorded as a look",
    ),
});

/** A body takes a boolean where a query has text. */
const nextBody = z
  .strictObject({
    country_code: optionalOrNull(queueFilters.country_code),
    number_type: optionalOrNull(queueFilters.number_type),
    provider: optionalOrNull(queueFilters.provider),
    account_id: optionalOrNull(queueFilters.account_id),
    due_before: optionalOrNull(queueFilters.due_before),
    claimed_by: optionalOrNull(queueFilters.claimed_by),
    q: optionalOrNull(queueFilters.q),
    overdue: optionalOrNull(z.boolean()).describe(OVERDUE),
  } satisfies FilterParameters<QueueFilter>)
  .meta({ examples: [{ country_code: "US" }] });

const claimBody = z.strictObject({
  take_over: optionalOrNull(
    z.strictObject({
      reason: writtenText(1_000).describe("Why; the former claimer sees it"),
    }),
  ).describe("Takes the case from the operator who has claimed it; for leads"),
});

const assignBody = z.strictObject({
  operator_id: uuid().describe("An active operator who may decide: a reviewer, lead or admin"),
});

const verdict = z.strictObject({
  slug: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: "A requirement that is under review", examples: ["loa"] }),
  phone_number: z
    .string()
    .max(16)
    .nullable()
    .default(null)
    .meta({
      description:
        "Of a requirement of scope `number`: whose value it is, in E.164; without it, the verdict is on all values that are given",
      examples: [null],
    }),
  decision: z
    .enum(["approve", "reject"])
    .describe("Any rejection closes the case and returns the order to the customer"),
  code: z
    .string()
    .max(64)
    .nullable()
    .default(null)
    .describe("A code of /desk/v1/rejection_reasons whose slugs include this one"),
  reason: textUpTo(1_000)
    .nullable()
    .default(null)
    .describe("What the customer reads; a rejection needs it"),
});

const decisionBody = z.strictObject({
  attempt: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("The attempt that was looked at; another one is refused"),
  decisions: z
    .array(verdict)
    .max(100)
    .default([])
    .describe(
      "At most one on each requirement, or on each number's value of it; those not named keep their status",
    ),
  confirm: z.boolean().default(false).describe("Sends the order to the carrier"),
});

const PATH = "/desk/v1/reviews";

/** The review queue, an order's case, its claim, and the decision on it. */
export function reviewRoutes(deps: DeskDeps): DeskRoute[] {
  return [
    queueRoute(deps),
    exportRoute(PATH, {
      name: "reviews",
      answer: queuedCaseAnswer,
      query: queueQuery,
      read: (request, query) => readQueue(deps.bus, request, query),
    }),
    nextRoute(deps),
    caseRoute(deps),
    ...claimRoutes(deps),
    decisionRoute(deps),
    reasonsRoute(),
    reviewersRoute(),
  ];
}

/** The case as the operator sees it; a look at unmasked values is recorded first. */
async function showCase(
  { bus, box, scansDocuments: isScanned }: DeskDeps,
  request: CaseRequest,
  asksMasked = false,
) {
  const now = bus.clock.now();
  const { db } = request;
  const file = await readCase(db, box, request.params.order_id);
  const isMasked = asksMasked || !includesRole(request.principal.role, "reviewer");
  const slugs = isMasked ? [] : unmaskedSlugs(file);
  if (slugs.length > 0) {
    await writeAudit(db, {
      ...byOperator(request, now),
      action: "review.viewed",
      accountId: file.one.account_id,
      portingOrderId: file.one.order_id,
      after: { attempt: file.one.attempt, unmasked: slugs },
    });
  }
  return presentCase(file, { now, isMasked, isScanned });
}

/** Finds what a path with an order's id identifies. */
function latestCase({ db, params }: Pick<CaseRequest, "db" | "params">) {
  return findLatestCase(db, params.order_id, "read");
}

function caseRoute(deps: DeskDeps): DeskRoute {
  return viewer.GET(`${PATH}/:order_id`, "Read an order's latest case", {
    description:
      "404 before the first submission. Viewers see sensitive values masked, and so does who asks for it with `masked=true`; a look at unmasked ones is recorded.",
    answers: { 200: caseAnswer },
    find: latestCase,
    query: caseReading,
    noStore: true,
    handle: async (request) => ok(await showCase(deps, request, request.query.masked)),
  });
}

function nextRoute(deps: DeskDeps): DeskRoute {
  return reviewer.POST(`${PATH}/next`, "Claim the case that waits longest", {
    description: `Of the cases that match and that nobody has claimed; so \`claimed_by\` with \`me\` or an id matches none.
404 where there is none. Two operators never get the same case.`,
    operationId: "claimNextReview",
    answers: { 200: caseAnswer },
    refuses: ["not_found"],
    body: nextBody,
    noStore: true,
    handle: async (request) => {
      const filter = filterOf(request.body, request.principal.operatorId);
      const orderId = await claimNext(deps, request, filter);
      deps.queueCounts.forget();
      return ok(await showCase(deps, { ...request, params: { order_id: orderId } }));
    },
  });
}

function claimRoutes(deps: DeskDeps): DeskRoute[] {
  const act = async (
    request: CaseRequest & { readonly query: z.output<typeof caseReading> },
    what: ClaimAct,
  ) => {
    await claimCase(deps, request, what);
    deps.queueCounts.forget();
    return ok(await showCase(deps, request, request.query.masked));
  };
  const claims = {
    answers: { 200: caseAnswer },
    find: latestCase,
    query: caseReading,
    refuses: ["claimed", "already_decided"],
    noStore: true,
  } as const;
  return [
    reviewer.POST(`${PATH}/:order_id/claim`, "Claim a case", {
      ...claims,
      description:
        "For 15 minutes unless configured otherwise; claiming it again extends that. A lead may take it over.",
      body: claimBody,
      handle: (request) => {
        const { take_over: takeOver } = request.body;
        return act(
          request,
          takeOver === undefined ? { act: "claim" } : { act: "take_over", reason: takeOver.reason },
        );
      },
    }),
    reviewer.POST(`${PATH}/:order_id/release`, "Release a case", {
      ...claims,
      description: "Ends the caller's own claim, so that anybody may claim or decide the case.",
      handle: (request) => act(request, { act: "release" }),
    }),
    lead.POST(`${PATH}/:order_id/assign`, "Assign a case to an operator", {
      ...claims,
      description:
        "It is then claimed by that operator until it is due, for a day at the least, and for as long as any claim once the operator has claimed it, by which it is seen.",
      body: assignBody,
      handle: (request) => act(request, { act: "assign", operatorId: request.body.operator_id }),
    }),
  ];
}

function decisionRoute(deps: DeskDeps): DeskRoute {
  return reviewer.POST(`${PATH}/:order_id/decision`, "Decide a case, or some of its fields", {
    operationId: "decideReview",
    description: `All of it applies, or nothing. Any rejection closes the case and needs a reason; approvals without \`confirm\`
leave it open. The order follows within a second.`,
    answers: { 202: caseAnswer },
    refuses: ["claimed", "already_decided"],
    find: latestCase,
    body: decisionBody,
    noStore: true,
    handle: async (request) => {
      await recordDecision(deps, request, request.body);
      deps.queueCounts.forget();
      return accepted(await showCase(deps, request));
    },
  });
}

function reasonsRoute(): DeskRoute {
  return viewer.GET("/desk/v1/rejection_reasons", "List the reasons for rejections", {
    description:
      "The canonical codes of exceptions and the desk's own about documents, in one page. A rejection whose code does not list its requirement is refused.",
    answers: { 200: listOf(rejectionReasonAnswer) },
    handle: () => ok({ data: REJECTION_REASONS, has_more: false }),
  });
}

function reviewersRoute(): DeskRoute {
  return viewer.GET("/desk/v1/reviewers", "List the operators to whom a case can be assigned", {
    description: "The active operators who may decide, by name, in one page.",
    answers: { 200: listOf(reviewerAnswer) },
    handle: async ({ db }) => {
      const roles = OPERATOR_ROLES.filter((role) => includesRole(role, "reviewer"));
      return ok({ data: await listReviewers(db, roles), has_more: false });
    },
  });
}

/** Claims the free case that has waited longest, of those that match; returns its order. @throws `not_found` */
async function claimNext(
  { bus, claimLapseMs }: ClaimContext,
  request: OperatorRequest,
  filter: QueueFilter,
): Promise<string> {
  const now = bus.clock.now();
  const { operatorId } = request.principal;
  const until = new Date(now.getTime() + claimLapseMs);
  return inTransaction(request.db, async (tx) => {
    const claimed = await claimNextCase(tx, { filter, operatorId, now, until });
    if (claimed === null) throw new AppError("not_found", "No case that matches is free.");
    await writeAudit(tx, {
      ...byOperator(request, now),
      action: "review.claimed",
      accountId: claimed.account_id,
      portingOrderId: claimed.order_id,
      before: { attempt: claimed.attempt, claimed_by: null },
      after: { claimed_by: operatorId, claimed_until: until.toISOString() },
    });
    return claimed.order_id;
  });
}

/** `me` is the caller. */
function filterOf(sent: QueueFilter, operatorId: string): Required<QueueFilter> {
  const { country_code, number_type, provider, account_id, due_before, overdue, q } = sent;
  const claimed_by = sent.claimed_by === "me" ? operatorId : sent.claimed_by;
  return { country_code, number_type, provider, account_id, due_before, overdue, claimed_by, q };
}

function queueRoute({ bus, queueCounts }: DeskDeps): DeskRoute {
  return viewer.GET("/desk/v1/reviews", "List the open cases, longest waiting first", {
    description: "With the counts of each view; filters that are combined must all match.",
    answers: { 200: queueAnswer },
    query: queueQuery,
    handle: async (request) => {
      const { query, principal } = request;
      const now = bus.clock.now();
      const filter = filterOf(query, principal.operatorId);
      const [rows, counts] = await Promise.all([
        readQueue(bus, request, query),
        queueCounts.of({ filter, now }, principal.operatorId),
      ]);
      return withCounts(pageOf(request, rows), counts);
    },
  });
}

type QueueReader = Pick<OperatorRequest, "db" | "principal">;

async function readQueue(
  { clock }: Pick<DeskDeps["bus"], "clock">,
  { db, principal }: QueueReader,
  query: z.output<typeof queueQuery>,
) {
  const filter = filterOf(query, principal.operatorId);
  const scan = await scanFrom(query, (id) => findLatestCase(db, id, "read"));
  const list = { scan: { ...scan, now: clock.now() }, filter, orderBy: query.order_by };
  const idOf = (row: object) => ("order_id" in row ? String(row.order_id) : "");
  return { ...pageRows(await listOpenCases(db, list), query), idOf };
}

function withCounts(reply: Reply, counts: Counts): Reply {
  return { ...reply, body: { ...Object(reply.body), counts } };
}
