import { z } from "zod";
import type { CarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import { portabilityCheckAnswer } from "../../domain/number/answers/number-answer.ts";
import {
  earliestFoc,
  portTermsOf,
  zoneOf,
  type TermsOf,
} from "../../domain/terms/rules/port-date.ts";
import { AppError } from "../../platform/errors.ts";
import { optionalOrNull } from "../../platform/http/body/fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { inSlices } from "../../platform/in-slices.ts";
import { POST, turnsOf, type CustomerRoute } from "../access/customer-routes.ts";
import { namesMany } from "../access/request-slots.ts";
import type { ApiDeps } from "../api-deps.ts";
import {
  findNumberFault,
  findTypeFaults,
  locateNumbers,
  providerFor,
  SLICE,
  unavailableFault,
  type KindOptions,
  type LocatedNumber,
  type UnavailableReason,
} from "../orders/plan-orders.ts";
import { findUnavailableNumbers } from "../orders/store/list-orders.ts";

const MAX_NUMBERS = 1_000;

const portabilityChecks = z
  .object({
    data: z
      .array(portabilityCheckAnswer)
      .meta({ description: "Every number of the request, once" }),
  })
  .meta({
    id: "PortabilityChecks",
    description: "Whether the numbers of a request can be ordered",
  });

/** `/v2/portability_checks`: whether numbers could be ordered now. A check reserves and stores nothing. */
export function portabilityCheckRoutes({
  bus,
  directory,
  terms,
  defaultProvider,
  heavy,
}: ApiDeps): CustomerRoute[] {
  return [
    POST("/v2/portability_checks", "Check whether numbers can be ordered now", {
      operationId: "checkPortability",
      description:
        "Answers for every number of the request once. Nothing is reserved or stored by it.",
      answers: { 200: portabilityChecks },
      body: z
        .strictObject({
          phone_numbers: z
            .array(z.string())
            .min(1)
            .max(MAX_NUMBERS)
            .meta({
              description: "The numbers to check: 1 to 1,000 in E.164",
              examples: [["+12125550123"]],
            }),
          number_type: optionalOrNull(z.enum(NUMBER_TYPES)).meta({
            description:
              "The type of numbers whose plan does not determine it, as in the US and Canada; `local` unless given",
          }),
        })
        .meta({ examples: [{ phone_numbers: ["+12125550143", "+442079460143"] }] }),
      inSlot: ({ principal, body }, run) =>
        namesMany(body) ? heavy.run(turnsOf(principal), run) : run(),
      handle: async ({ db, principal, body: { phone_numbers: numbers, ...options } }) => {
        const faults = await findTypeFaults(numbers, options, directory);
        if (faults.length > 0) {
          const detail = "Some numbers are of another type than number_type says.";
          throw new AppError("validation_failed", detail, { faults });
        }
        const unavailable = await findUnavailableNumbers(db, principal.accountId, numbers);
        const now = bus.clock.now();
        const facts = { ...{ unavailable, directory, terms, defaultProvider, options, now } };
        return ok({ data: await checkPortability(numbers, facts) });
      },
    }),
  ];
}

export interface PortabilityFacts {
  readonly unavailable: ReadonlyMap<string, UnavailableReason>;
  readonly directory: Pick<CarrierDirectory, "carrierOf" | "rangeOf" | "providerOf">;
  readonly terms: TermsOf;
  readonly defaultProvider: string;
  /** What the request specifies for all of its numbers. */
  readonly options: Pick<KindOptions, "number_type">;
  readonly now: Date;
}

/** Each number once, in order of first appearance; the reasons are the codes that creating an order would return. */
export async function checkPortability(phoneNumbers: readonly string[], facts: PortabilityFacts) {
  const numbers = [...new Set(phoneNumbers)];
  const located = await locateNumbers(numbers, facts.options, facts.directory);
  const earliest = earliestDates(located, facts);
  return inSlices(numbers, SLICE, (number, n) =>
    checkNumber(number, { located: located[n] ?? null, earliest, ...facts }),
  );
}

type Kind = LocatedNumber["kind"];

/** The date for a number of a kind. */
type EarliestDate = (kind: Kind, phoneNumber: string) => string | null;

/** Holidays are counted once for each kind and zone, however many numbers a request has. */
function earliestDates(
  located: readonly (LocatedNumber | null)[],
  facts: PortabilityFacts,
): EarliestDate {
  const { terms, now } = facts;
  const counts = new Map<string, number>();
  for (const one of located) {
    if (one === null) continue;
    const key = JSON.stringify(one.kind);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const known = new Map<string, string | null>();
  return (kind, phoneNumber) => {
    const provider = providerFor(kind, facts);
    const country = terms(kind.country_code, provider);
    const zone = country === null ? null : zoneOf(country, phoneNumber);
    const order = JSON.stringify(kind);
    // A prefix is of one zone, a clock of several: their holidays may differ.
    const key = `${order} ${zone?.prefixes[0] ?? ""}`;
    const date = known.get(key);
    if (date !== undefined) return date;
    // As of a new order, which has no values either.
    const asked = { ...kind, provider, numbers: counts.get(order) ?? 0, values: new Map() };
    const counted = earliestFoc(portTermsOf(terms, { ...asked, phone_number: phoneNumber }), now);
    known.set(key, counted);
    return counted;
  };
}

interface CheckFacts extends Pick<PortabilityFacts, "unavailable"> {
  readonly located: LocatedNumber | null;
  readonly earliest: EarliestDate;
}

function checkNumber(phoneNumber: string, { located, earliest, unavailable }: CheckFacts) {
  const fault =
    findNumberFault(phoneNumber, located, new Set()) ??
    unavailableFault(unavailable.get(phoneNumber));
  const { country_code = null, losing_carrier = null } = located?.kind ?? {};
  const type = located?.kind.number_type ?? "other";
  const portable = fault === null && located !== null;
  return {
    phone_number: phoneNumber,
    portable,
    country_code,
    number_type: type === "other" ? null : type,
    losing_carrier,
    reason: fault?.code ?? null,
    detail: fault?.detail ?? null,
    earliest_foc: portable ? earliest(located.kind, phoneNumber) : null,
  };
}
