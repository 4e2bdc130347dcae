import { z } from "zod";
import { countryCodeParameter } from "../../domain/number/answers/number-fields.ts";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import {
  instant,
  optionalOrNull,
  textUpTo,
  uuid,
  writtenText,
} from "../../platform/http/body/fields.ts";
import { pageQuery } from "../../platform/http/paging.ts";

/** The filters that a query and a body spell alike. */
const filter = {
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
};

const OVERDUE = "Only overdue cases (`true`), or only those that are not (`false`)";

/** Longest waiting first by default, unlike other lists. */
export const queueQuery = z.strictObject({
  limit: pageQuery.limit,
  starting_after: pageQuery.starting_after,
  ending_before: pageQuery.ending_before,
  order: z.enum(["asc", "desc"]).default("asc").describe("Longest waiting (`asc`) or latest first"),
  ...z.strictObject(filter).partial().shape,
  overdue: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe(OVERDUE),
});

export const caseReading = z.strictObject({
  masked: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe(
      "With sensitive values masked for any role (`true`), which is not recorded as a look",
    ),
});

/** A body takes a boolean where a query has text. */
export const nextBody = z
  .strictObject({
    country_code: optionalOrNull(filter.country_code),
    number_type: optionalOrNull(filter.number_type),
    provider: optionalOrNull(filter.provider),
    account_id: optionalOrNull(filter.account_id),
    due_before: optionalOrNull(filter.due_before),
    claimed_by: optionalOrNull(filter.claimed_by),
    q: optionalOrNull(filter.q),
    overdue: optionalOrNull(z.boolean()).describe(OVERDUE),
  })
  .meta({ examples: [{ country_code: "US" }] });

export const claimBody = z.strictObject({
  take_over: optionalOrNull(
    z.strictObject({
      reason: writtenText(1_000).describe("Why; the former claimer sees it"),
    }),
  ).describe("Takes the case from the operator who has claimed it; for leads"),
});

export const assignBody = z.strictObject({
  operator_id: uuid().describe("An active operator who may decide: a reviewer, lead or admin"),
});

const verdict = z.strictObject({
  slug: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: "A requirement that is under review", examples: ["loa"] }),
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

export const decisionBody = z.strictObject({
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
    .describe("At most one on each requirement; those not named keep their status"),
  confirm: z.boolean().default(false).describe("Sends the order to the carrier"),
});
