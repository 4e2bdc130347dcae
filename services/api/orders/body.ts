import { z } from "zod";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import { findRemovalFaults, type OrderPatch } from "../../domain/order/rules/decide-customer.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { instantText } from "../../platform/calendar/instant-text.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import { invalid } from "../../platform/http/body/check-request.ts";
import { optionalOrNull, textUpTo, uuid, writtenText } from "../../platform/http/body/fields.ts";
import type { Preparing } from "../../platform/http/routing/preparing.ts";
import { MAX_URL_LENGTH } from "../../platform/net/url-rules.ts";
import type { NumberConfiguration } from "../../domain/number/rules/number-settings.ts";
import { numberConfiguration } from "../numbers/settings.ts";
import type { AccountPrincipal } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { givenRequirements, type GivenRequirements } from "../requirements/given-requirements.ts";
import { savedIn } from "../requirement-groups/store.ts";
import { findGivenFaults } from "./draft-orders.ts";
import { findUnavailableNumbers } from "./store/list-orders.ts";
import { findNumberFaults, INVALID_NUMBER, type KindOptions } from "./plan-orders.ts";

export const MAX_AHEAD_DAYS = 180;
const DAY_MS = 86_400_000;

/**
 * Its form alone: a request that is repeated under its Idempotency-Key fits it for ever. The UTC offset is stored as
 * sent; whether the date can be met is for the carrier to decide.
 */
const focRequested = instantText;

const focDescription = `The port date to ask for: ISO 8601 with an offset, in the future, at most ${MAX_AHEAD_DAYS} days ahead`;

/** The fault of a requested date that has passed or is too far ahead. */
export function findFocFaults(requested: string | null | undefined, now: Date): Fault[] {
  if (requested == null) return [];
  const last = new Date(now.getTime() + MAX_AHEAD_DAYS * DAY_MS);
  const at = Date.parse(requested);
  if (at > now.getTime() && at <= last.getTime()) return [];
  const detail = `It must be in the future and at most ${MAX_AHEAD_DAYS} days ahead: after ${now.toISOString()}, until ${last.toISOString()}.`;
  return [{ pointer: "#/foc_requested", code: "date_out_of_range", detail }];
}

/**
 * Refuses such a date, with all faults of its request. For `prepare`, which a replay skips: the date of what it repeats
 * may have passed since.
 * @throws `validation_failed`
 */
export async function requireFocInRange(
  requested: string | null | undefined,
  now: Date,
  findFaults: () => Promise<readonly Fault[]>,
): Promise<void> {
  if (findFocFaults(requested, now).length > 0) throw invalid("body", await findFaults());
}

export const MAX_REFERENCE = 128;
export const MAX_CARRIER = 64;

const customerReference = textUpTo(MAX_REFERENCE);
const referenceMeta = {
  description: `The customer's own reference, up to ${MAX_REFERENCE} characters`,
  examples: ["first port"],
};
const webhookUrl = textUpTo(MAX_URL_LENGTH).nullable().meta({
  description:
    "Where this order's webhooks go instead of the account's endpoints: HTTPS, up to 2,048 characters",
});

const configurationMeta =
  "How its numbers are set at the moment in which each becomes active: forwarding, lock, PIN, tags, references";

/** A fault of its own for each number, whatever it is; the others are found by its numbering plan. */
const requestedNumber = z
  .custom<string>((number) => typeof number === "string", {
    error: INVALID_NUMBER.detail,
    params: { code: INVALID_NUMBER.code },
  })
  .meta({ type: "string" });

/** Numbers to port, or to remove. */
const numbers = (what: string, number: z.ZodType<string> = z.string()) =>
  z
    .array(number)
    .min(1)
    .max(1_000)
    .meta({ description: `${what}: 1 to 1,000 in E.164`, examples: [["+12125550123"]] });

const groupId = uuid().meta({
  description:
    "A saved holder: an order gets those of its values that it asks for, takes and has not been given; what `requirements` gives comes first",
});

export const newOrderBody = z
  .strictObject({
    phone_numbers: numbers("The numbers to port", requestedNumber),
    number_type: optionalOrNull(z.enum(NUMBER_TYPES)).meta({
      description:
        "The type of numbers whose plan does not determine it, as in the US and Canada; `local` unless given",
    }),
    losing_carrier: optionalOrNull(writtenText(MAX_CARRIER)).meta({
      description: `The carrier that has the numbers now, up to ${MAX_CARRIER} characters; looked up by prefix unless given`,
    }),
    customer_reference: optionalOrNull(customerReference).meta(referenceMeta),
    foc_requested: optionalOrNull(focRequested).describe(focDescription),
    webhook_url: webhookUrl.optional(),
    requirements: optionalOrNull(givenRequirements),
    requirement_group_id: optionalOrNull(groupId),
    skip_invalid: optionalOrNull(z.boolean()).meta({
      description:
        "Order the other numbers where some cannot be ordered: these are then in `skipped`, with the fault of each. Where none is left the request is refused",
    }),
    number_configuration: optionalOrNull(numberConfiguration).describe(configurationMeta),
  })
  .meta({ examples: [{ phone_numbers: ["+12125550143"], customer_reference: "first port" }] });

export const patchOrderBody = z
  .strictObject({
    customer_reference: customerReference.optional().meta(referenceMeta),
    webhook_url: webhookUrl.optional(),
    foc_requested: focRequested.nullable().optional().describe(focDescription),
    remove_phone_numbers: numbers("Numbers to take out of the order").optional(),
    number_configuration: numberConfiguration
      .nullable()
      .optional()
      .describe(`${configurationMeta}; it replaces what was given before`),
    requirements: givenRequirements.optional(),
    requirement_group_id: groupId.optional(),
  })
  .meta({ examples: [{ customer_reference: "second port" }] })
  .transform((sent): SentPatch => {
    const { requirements, requirement_group_id, number_configuration } = sent;
    const { customer_reference, webhook_url, foc_requested, remove_phone_numbers } = sent;
    const patch = {
      ...(customer_reference === undefined ? {} : { customer_reference }),
      ...(webhook_url === undefined ? {} : { webhook_url }),
      ...(foc_requested === undefined ? {} : { foc_requested }),
      ...(remove_phone_numbers === undefined ? {} : { remove_phone_numbers }),
    };
    return { patch, requirements, requirement_group_id, number_configuration };
  });

export const changeBody = z
  .strictObject({
    foc_requested: optionalOrNull(focRequested).describe(
      `${focDescription}, and at which the order's numbers can be moved; the confirmed date accepts that`,
    ),
    remove_phone_numbers: optionalOrNull(numbers("Numbers to take out of the order")),
    reason: optionalOrNull(textUpTo(1_000)).meta({
      description: "Why, up to 1,000 characters",
      examples: ["The new office opens later."],
    }),
  })
  .refine(({ foc_requested: date, remove_phone_numbers: gone }) => (date ?? gone) !== undefined, {
    path: ["foc_requested"],
    error: "Give a date, or numbers to remove.",
    params: { code: "required" },
  })
  .meta({ examples: [{ foc_requested: "2026-12-15T15:00:00Z" }] });

export const cancelBody = z
  .strictObject({
    reason: optionalOrNull(textUpTo(1_000)).meta({
      description: "Why, up to 1,000 characters",
      examples: ["Ordered by mistake."],
    }),
  })
  .meta({ examples: [{ reason: "Ordered by mistake." }] });

/** What a request changes of an order, and what it gives for its requirements. */
export interface SentPatch {
  readonly patch: OrderPatch;
  readonly requirements: GivenRequirements | undefined;
  readonly requirement_group_id: string | undefined;
  readonly number_configuration: NumberConfiguration | null | undefined;
}

type FaultDeps = Pick<
  ApiDeps,
  "directory" | "checkUrl" | "defaultProvider" | "terms" | "bus" | "box"
>;

interface Sender {
  readonly db: Queryable;
  readonly principal: AccountPrincipal;
}

interface SentOrder extends KindOptions {
  readonly phone_numbers: readonly unknown[];
}

export const MAX_NUMBERS = 1_000;

/** Reads what it can from an invalid body; a field that cannot be read is treated as absent. */
const readable = z
  .object({
    phone_numbers: z.array(z.unknown()).max(MAX_NUMBERS).catch([]),
    number_type: z.enum(NUMBER_TYPES).optional().catch(undefined),
    losing_carrier: z.string().optional().catch(undefined),
    foc_requested: focRequested.nullish().catch(null),
    webhook_url: textUpTo(MAX_URL_LENGTH).nullish().catch(null),
    requirements: givenRequirements.optional().catch(undefined),
    requirement_group_id: groupId.optional().catch(undefined),
  })
  .catch({ phone_numbers: [] });

/** Why a `webhook_url` may not be used; null if it may, or if there is none. */
export async function findUrlRefusal(
  { checkUrl }: Pick<ApiDeps, "checkUrl">,
  preparing: Preparing,
  url: string | null | undefined,
): Promise<AppError | null> {
  if (url == null) return null;
  try {
    await checkUrl(preparing, url, "#/webhook_url");
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

interface SentBody extends Sender {
  /** As sent, or as parsed. */
  readonly body: unknown;
  readonly now: Date;
}

/** The faults of date and URL in the body of an order change, besides those of its schema. */
export async function findSentChangeFaults(
  deps: Pick<FaultDeps, "checkUrl">,
  preparing: Preparing,
  { body, now }: Omit<SentBody, keyof Sender>,
): Promise<readonly Fault[]> {
  return faultsOfChange(deps, preparing, { ...readable.parse(body), now });
}

type Readable = z.output<typeof readable>;

async function faultsOfChange(
  deps: Pick<FaultDeps, "checkUrl">,
  preparing: Preparing,
  { now, ...sent }: Pick<Readable, "foc_requested" | "webhook_url"> & { readonly now: Date },
): Promise<readonly Fault[]> {
  const ofDate = findFocFaults(sent.foc_requested, now);
  const refusal = await findUrlRefusal(deps, preparing, sent.webhook_url);
  return [...ofDate, ...(refusal?.faults ?? [])];
}

/** The faults of date, URL and numbers in the body of an order creation, besides those of its schema. */
export async function findSentFaults(
  deps: FaultDeps,
  preparing: Preparing,
  { body, now, ...sender }: SentBody,
): Promise<readonly Fault[]> {
  const sent = readable.parse(body);
  const faults = await faultsOfChange(deps, preparing, { ...sent, now });
  const ofNumbers = await faultsOfNumbers(deps, sender, sent);
  const { requirements: given, requirement_group_id: groupId } = sent;
  if ((given ?? groupId) === undefined) return [...faults, ...ofNumbers];
  const phone_numbers = sent.phone_numbers.filter((number) => typeof number === "string");
  const { db, principal } = sender;
  const { accountId } = principal;
  const gift = {
    db,
    accountId,
    body: { ...sent, phone_numbers, foc_requested: undefined },
    given: given ?? {},
    group: await savedIn(db, accountId, groupId),
    now,
  };
  return [...faults, ...ofNumbers, ...(await findGivenFaults(deps, gift))];
}

/** The error for a creation with invalid numbers, values or `webhook_url`, with all of their faults. */
export async function orderRefusal(
  deps: FaultDeps,
  sender: Sender,
  request: {
    readonly body: SentOrder;
    readonly urlRefusal: AppError | null;
    readonly planFaults: readonly Fault[];
    readonly givenFaults?: readonly Fault[];
  },
): Promise<AppError> {
  const { body, urlRefusal, planFaults, givenFaults = [] } = request;
  const ofDate = planFaults.filter(({ pointer }) => pointer === "#/foc_requested");
  const faults = [...ofDate, ...(await faultsOfNumbers(deps, sender, body)), ...givenFaults];
  if (faults.length === 0 && urlRefusal !== null) return urlRefusal;
  return new AppError("validation_failed", "The order cannot be created.", {
    faults: [...(urlRefusal?.faults ?? []), ...faults],
  });
}

/** The error for a change with an invalid `webhook_url`, including the faults of its other fields. */
export function patchRefusal(
  order: Order,
  { remove_phone_numbers: removed = [] }: OrderPatch,
  {
    urlRefusal,
    more = [],
  }: { readonly urlRefusal: AppError | null; readonly more?: readonly Fault[] },
): AppError | null {
  const faults = [...findRemovalFaults(order, removed), ...more];
  if (faults.length === 0) return urlRefusal;
  return new AppError("validation_failed", "The order cannot be changed.", {
    faults: [...(urlRefusal?.faults ?? []), ...faults],
  });
}

async function faultsOfNumbers(
  { directory }: FaultDeps,
  { db, principal: { accountId } }: Sender,
  sent: SentOrder,
): Promise<Fault[]> {
  const numbers = sent.phone_numbers.filter((number) => typeof number === "string");
  if (numbers.length === 0) return [];
  const unavailable = await findUnavailableNumbers(db, accountId, numbers);
  return findNumberFaults(sent.phone_numbers, { options: sent, directory, unavailable });
}
