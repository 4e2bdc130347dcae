import { z } from "zod";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import { findUnavailableNumbers } from "../portability/store/unavailable-numbers.ts";
import { findRemovalFaults, type OrderPatch } from "../../domain/order/rules/decide-customer.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { findFocFaults, focRequested } from "./foc-requested.ts";
import { findNumberFaults, type KindOptions } from "./number-faults.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { textUpTo } from "../../platform/http/body/fields.ts";
import { MAX_URL_LENGTH } from "../../platform/net/url-rules.ts";
import type { Preparing } from "../../platform/http/routing/preparing.ts";
import type { ApiDeps } from "../api-deps.ts";
import type { AccountPrincipal } from "../access/principal.ts";

type FaultDeps = Pick<ApiDeps, "directory" | "checkUrl">;

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
  return [...faults, ...(await faultsOfNumbers(deps, sender, sent))];
}

/** The error for a creation with invalid numbers or an invalid `webhook_url`, with all of their faults. */
export async function orderRefusal(
  deps: FaultDeps,
  sender: Sender,
  request: { readonly body: SentOrder; readonly urlRefusal: AppError | null },
): Promise<AppError> {
  const { body, urlRefusal } = request;
  const faults = await faultsOfNumbers(deps, sender, body);
  if (faults.length === 0 && urlRefusal !== null) return urlRefusal;
  return new AppError("validation_failed", "The order cannot be created.", {
    faults: [...(urlRefusal?.faults ?? []), ...faults],
  });
}

/** The error for a change with an invalid `webhook_url`, including the faults of its other fields. */
export function patchRefusal(order: Order, patch: OrderPatch, urlRefusal: AppError): AppError {
  const faults = findRemovalFaults(order, patch.remove_phone_numbers ?? []);
  if (faults.length === 0) return urlRefusal;
  return new AppError("validation_failed", "The order cannot be changed.", {
    faults: [...urlRefusal.faults, ...faults],
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
