import { z } from "zod";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { caseAnswer, queuedCaseAnswer } from "./answers.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { countryCodeParameter } from "../../domain/number/answers/country-code-parameter.ts";
import { findLatestCase } from "../../domain/review/store/cases.ts";
import { listOpenCases } from "./store/open-cases.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, scanFrom } from "../../platform/http/paging/paging.ts";
import { accepted, ok } from "../../platform/http/routing/reply.ts";
import { claimCase } from "./claim-case.ts";
import { reviewer, viewer, type DeskRoute } from "../access/desk-routes.ts";
import { byOperator } from "../access/operator.ts";
import type { CaseRequest } from "./lock-case.ts";
import { presentCase, unmaskedSlugs } from "./present-case.ts";
import { readCase } from "./read-case.ts";
import { recordDecision } from "./record-decision.ts";

const PATH = "/desk/v1/reviews";

const verdict = z.strictObject({
  slug: z.string().min(1).max(64),
  decision: z.enum(["approve", "reject"]),
  code: z.string().max(64).nullable().default(null),
  reason: z.string().max(1_000).nullable().default(null),
});

const decisionBody = z.strictObject({
  attempt: z.int().min(1).nullable().default(null),
  decisions: z.array(verdict).max(100).default([]),
  confirm: z.boolean().default(false),
});

/** Longest waiting first by default, unlike other lists. */
const queueQuery = z.strictObject({
  limit: pageQuery.limit,
  starting_after: pageQuery.starting_after,
  ending_before: pageQuery.ending_before,
  order: z.enum(["asc", "desc"]).default("asc"),
  country_code: countryCodeParameter("Cases of orders of this country").optional(),
  account_id: uuid().optional(),
  overdue: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
  claimed_by: uuid().optional(),
});

/** The review queue, an order's case, its claim, and the decision on it. */
export function reviewRoutes(deps: DeskDeps): DeskRoute[] {
  return [
    queueRoute(deps),
    caseRoute(deps),
    claimRoute(deps, "claim", deps.claimLapseMs),
    claimRoute(deps, "release", null),
    decisionRoute(deps),
  ];
}

/** The case as the desk sees it; that an operator sees sensitive values is recorded first. */
async function showCase({ bus, box }: DeskDeps, request: CaseRequest) {
  const now = bus.clock.now();
  const file = await readCase(bus.pool, box, request.params.order_id);
  const slugs = unmaskedSlugs(file);
  if (slugs.length > 0) {
    await writeAudit(bus.pool, {
      ...byOperator(request, now),
      action: "review.viewed",
      accountId: file.one.account_id,
      portingOrderId: file.one.order_id,
      after: { attempt: file.one.attempt, unmasked: slugs },
    });
  }
  return presentCase(file, now);
}

function queueRoute({ bus }: DeskDeps): DeskRoute {
  return viewer.GET(PATH, "List the open cases, longest waiting first", {
    answers: { 200: listOf(queuedCaseAnswer) },
    query: queueQuery,
    handle: async (request) => {
      const { query } = request;
      const now = bus.clock.now();
      const scan = await scanFrom(query, (id) => findLatestCase(bus.pool, id, "read"));
      const rows = await listOpenCases(bus.pool, { scan: { ...scan, now }, filter: query });
      return page(request, rows, (one) => one.order_id);
    },
  });
}

function caseRoute(deps: DeskDeps): DeskRoute {
  return viewer.GET(`${PATH}/:order_id`, "Read an order's latest case", {
    answers: { 200: caseAnswer },
    noStore: true,
    handle: async (request) => ok(await showCase(deps, request)),
  });
}

function claimRoute(deps: DeskDeps, act: "claim" | "release", lapseMs: number | null): DeskRoute {
  return reviewer.POST(
    `${PATH}/:order_id/${act}`,
    `${act === "claim" ? "Claim" : "Release"} a case`,
    {
      answers: { 200: caseAnswer },
      refuses: ["claimed", "already_decided"],
      noStore: true,
      handle: async (request) => {
        await claimCase(deps.bus, request, lapseMs);
        return ok(await showCase(deps, request));
      },
    },
  );
}

function decisionRoute(deps: DeskDeps): DeskRoute {
  return reviewer.POST(`${PATH}/:order_id/decision`, "Decide a case, or some of its fields", {
    operationId: "decideReview",
    answers: { 202: caseAnswer },
    refuses: ["claimed", "already_decided"],
    body: decisionBody,
    noStore: true,
    handle: async (request) => {
      await recordDecision(deps.bus, request, request.body);
      return accepted(await showCase(deps, request));
    },
  });
}
