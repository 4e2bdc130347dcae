import { AppError, type Fault } from "../../platform/errors.ts";
import type { OrderQuotas } from "./quota-claims.ts";
import { unavailableNumberFaults } from "./number-faults.ts";
import type { OtherHolders } from "./plan-orders.ts";

/** What a creating statement found; `request` is the index of a request that it created nothing for. */
export type CreationFinding =
  | NumberFinding
  | HolderFinding
  | { readonly reason: QuotaReason; readonly request: number };

type QuotaReason = "drafts" | "numbers" | "discarded";

/** A number that is active on the account, or in another live order of it. */
interface NumberFinding {
  readonly reason: "active" | "live";
  readonly request: number;
  readonly phone_number: string;
}

/** A number that another account holds, unknown to the request's plan. */
interface HolderFinding {
  readonly reason: "elsewhere";
  readonly request: number;
  readonly phone_number: string;
  readonly account_id: string;
}

/** Why nothing was created: an error, or numbers of other accounts with which the orders are to be planned again. */
export type CreationRefusal = AppError | OtherHolders;

/** The refusal of the request with these findings; null if it was created. */
export function creationRefusal(
  requested: readonly string[],
  found: readonly CreationFinding[],
  quotas: OrderQuotas,
): CreationRefusal | null {
  const active = numbersOf(found, "active");
  if (active.size > 0) {
    const faults = unavailableNumberFaults(requested, active, "already_active");
    const detail = "Some numbers are already active on the account.";
    return new AppError("validation_failed", detail, { faults });
  }
  const live = numbersOf(found, "live");
  if (live.size > 0) {
    return inLiveOrder(unavailableNumberFaults(requested, live, "number_in_active_order"));
  }
  for (const { reason } of found) {
    if (isQuota(reason)) return quotaExceeded(reason, quotas);
  }
  const elsewhere = found.filter((one) => one.reason === "elsewhere");
  return elsewhere.length === 0
    ? null
    : new Map(elsewhere.map(({ phone_number, account_id }) => [phone_number, account_id]));
}

const isQuota = (reason: CreationFinding["reason"]): reason is QuotaReason =>
  reason === "drafts" || reason === "numbers" || reason === "discarded";

function quotaExceeded(reason: QuotaReason, quotas: OrderQuotas): AppError {
  const allowed = {
    drafts: `${count(quotas.drafts)} drafts: submit or delete some`,
    numbers: `${count(quotas.openNumbers)} numbers in live orders: wait until some orders end, or cancel some`,
    discarded: `${count(quotas.discardedNumbers)} numbers in orders that were created in the last 24 hours and deleted or cancelled: create the others later`,
  } as const satisfies Record<QuotaReason, string>;
  return new AppError("quota_exceeded", `The account may have at most ${allowed[reason]}.`);
}

const count = (value: number): string => value.toLocaleString("en");

/** Without faults if a concurrent creation was first, since the database does not report which number it was. */
export function inLiveOrder(faults: readonly Fault[] = []): AppError {
  return new AppError(
    "number_in_active_order",
    "A number is in another live order of the account.",
    { faults },
  );
}

function numbersOf(
  found: readonly CreationFinding[],
  reason: NumberFinding["reason"],
): ReadonlySet<string> {
  return new Set(found.flatMap((one) => (one.reason === reason ? [one.phone_number] : [])));
}
