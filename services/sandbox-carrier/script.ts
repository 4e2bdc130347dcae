import { confirmedFoc, movedFoc, type TermsOf } from "../domain/terms/rules/port-date.ts";
import { termsOfRequest } from "../domain/terms/rules/terms-of-order.ts";
import type { CarrierRequest } from "../messages/generated/carrier-request.ts";
import type { CarrierUpdate } from "../messages/generated/carrier-update.ts";
import type { Sparse } from "../messages/codec.ts";
import { derivedId } from "../platform/ids.ts";

/** The sandbox carrier's behaviour by a number's last four digits (docs/sandbox.md). */
const OUTCOME_BY_ENDING = {
  "9901": "account_mismatch",
  "9902": "pin_mismatch",
  "9903": "refusal",
  "9904": "failed_number",
  "9905": "cancel_refused",
  "9906": "date_moved",
  "9907": "silence",
  "9908": "ported_despite_cancel",
  "9909": "twice_and_out_of_order",
  "9910": "change_accepted",
  "9911": "change_refused",
  "9912": "code_mismatch",
} as const;

type Outcome = (typeof OUTCOME_BY_ENDING)[keyof typeof OUTCOME_BY_ENDING];

const ENDINGS: ReadonlyMap<string, Outcome> = new Map(Object.entries(OUTCOME_BY_ENDING));
const ENDING_LENGTH = 4;

/** Null for a number that ports normally. */
function outcomeOf(phoneNumber: string): Outcome | null {
  return ENDINGS.get(phoneNumber.slice(-ENDING_LENGTH)) ?? null;
}

/** The outcomes that the numbers of an order select. */
function outcomesOf(phoneNumbers: readonly string[]): ReadonlySet<Outcome> {
  return new Set(phoneNumbers.map(outcomeOf).filter((outcome) => outcome !== null));
}

export type Update = Sparse<CarrierUpdate>;

/** The updates of one step: usually one, several if the outcome is duplicated and out of order. */
export type Step = readonly Update[];

/** When the script was requested, in epoch milliseconds, the duration of its steps, and the countries' terms. */
export interface ScriptTime {
  readonly termsOf: TermsOf;
  readonly requestedAt: number;
  readonly stepMs: number;
}

type Report = Pick<Update, "kind" | "raw_status"> & Partial<Update>;

/**
 * All updates that the sandbox carrier will publish on a submit, a supplement or a cancel. They depend on
 * the request alone, so that a replay yields the same updates under the same ids.
 */
export function scriptFor(request: CarrierRequest, time: ScriptTime): readonly Step[] {
  const removed = request.change?.remove_phone_numbers ?? [];
  const outcomes = outcomesOf([...(request.phone_numbers ?? []), ...removed]);
  const reports =
    request.kind === "cancel"
      ? updatesOnCancel(request, outcomes, time)
      : updatesOnSubmit(request, outcomes, time);
  const updates = reports.map((report, step) => ({
    ...report,
    update_id: derivedId(`${request.request_id}/${step}`),
    provider: request.provider,
    order_id: request.order_id ?? "",
    request_version: request.request_version ?? 0,
    occurred_at: time.requestedAt + (step + 1) * time.stepMs,
  }));
  return outcomes.has("twice_and_out_of_order")
    ? duplicatedAndSwapped(updates)
    : updates.map((one) => [one]);
}

function updatesOnSubmit(
  request: CarrierRequest,
  outcomes: ReadonlySet<Outcome>,
  time: ScriptTime,
): readonly Report[] {
  if (outcomes.has("silence")) return [];
  if (request.change !== null) return updatesOnChange(request, outcomes, time);
  // A change was taken back.
  if (request.kind === "supplement" && request.foc_actual !== null) return cutover(request);
  const received: Report = { kind: "acknowledged", raw_status: "RECEIVED" };
  const rejection = rejectionOf(request, outcomes);
  if (rejection !== null) return [received, rejection];
  const focAt = focOf(request, time);
  const dated: readonly Report[] = [
    received,
    { kind: "date_confirmed", raw_status: "FOC", foc_at: focAt },
    ...(outcomes.has("date_moved")
      ? [
          {
            kind: "date_moved" as const,
            raw_status: "FOC_MOVED",
            foc_at: movedFoc(focAt, termsOfRequest(time.termsOf, request)),
          },
        ]
      : []),
  ];
  const waits = WAITING.some((outcome) => outcomes.has(outcome));
  return waits ? dated : [...dated, ...cutover(request)];
}

/** Outcomes that wait at the confirmed date for what the customer does. */
const WAITING = [
  "cancel_refused",
  "ported_despite_cancel",
  "change_accepted",
  "change_refused",
] as const satisfies Outcome[];

/** The answer to a change, a date or a refusal, and the cutover. */
function updatesOnChange(
  request: CarrierRequest,
  outcomes: ReadonlySet<Outcome>,
  time: ScriptTime,
): readonly Report[] {
  if (outcomes.has("change_refused")) {
    const rejection = { raw_code: "OTHER", raw_text: "The order is in the switch's plan already." };
    return [
      { kind: "change_refused", raw_status: "CHANGE_REFUSED", rejection },
      ...cutover(request, request.change?.remove_phone_numbers),
    ];
  }
  const { change, foc_actual } = request;
  const known = change?.foc_requested == null ? foc_actual : null;
  const foc_at = focOf({ ...request, foc_actual: known }, time);
  return [{ kind: "date_moved", raw_status: "FOC_MOVED", foc_at }, ...cutover(request)];
}

/** The carrier's rejection or refusal, if any; a corrected request is accepted. */
function rejectionOf(request: CarrierRequest, outcomes: ReadonlySet<Outcome>): Report | null {
  if (outcomes.has("refusal")) {
    const rejection = { raw_code: "NOT_PORTABLE", raw_text: "This number stays where it is." };
    return { kind: "refused", raw_status: "REFUSED", rejection };
  }
  if (!isFirst(request)) return null;
  if (outcomes.has("account_mismatch")) {
    const raw_text = "The account number is not the subscriber's.";
    return rejected({ raw_code: "ACCOUNT_MISMATCH", raw_text });
  }
  if (outcomes.has("pin_mismatch")) {
    const rejection = { raw_code: "PIN_MISMATCH", raw_text: "The PIN is not the account's." };
    return { ...rejected(rejection), ...ofNumbers(request, "pin_mismatch", "pin_passcode") };
  }
  const own = CODES_OF_NUMBERS.map((slug) => ofNumbers(request, "code_mismatch", slug));
  const wrong = own.find(({ phone_numbers }) => phone_numbers !== undefined);
  if (wrong === undefined) return null;
  const raw_text = "The code is not that of the number.";
  return { ...rejected({ raw_code: "CODE_MISMATCH", raw_text }), ...wrong };
}

/** What each number of an order has of its own, apart from a PIN. */
const CODES_OF_NUMBERS = ["rio_code", "icc_id", "pac_code"];

/** The numbers with this outcome, where each has its own value of the requirement: that one is wrong. */
function ofNumbers(
  { requirements }: CarrierRequest,
  outcome: Outcome,
  slug: string,
): Pick<Report, "phone_numbers"> {
  const numbers = (requirements ?? []).flatMap((one) =>
    one.slug === slug && one.phone_number !== null ? [one.phone_number] : [],
  );
  const phone_numbers = numbers.filter((number) => outcomeOf(number) === outcome);
  return phone_numbers.length === 0 ? {} : { phone_numbers };
}

function rejected(rejection: NonNullable<Update["rejection"]>): Report {
  return { kind: "rejected", raw_status: "REJECTED", rejection };
}

function updatesOnCancel(
  request: CarrierRequest,
  outcomes: ReadonlySet<Outcome>,
  time: ScriptTime,
): readonly Report[] {
  if (outcomes.has("cancel_refused")) {
    const date: Report = {
      kind: "date_confirmed",
      raw_status: "FOC",
      foc_at: focOf(request, time),
    };
    return [
      { kind: "cancel_refused", raw_status: "CANCEL_REFUSED" },
      ...(request.foc_actual === null ? [date] : []),
      ...cutover(request),
    ];
  }
  if (outcomes.has("ported_despite_cancel")) return cutover(request);
  return [{ kind: "cancel_confirmed", raw_status: "CANCELLED" }];
}

/** The cutover itself, one update per number; `also` are those that the order keeps after all. */
function cutover(request: CarrierRequest, also: readonly string[] = []): readonly Report[] {
  const numbers = [...(request.phone_numbers ?? []), ...also].map((number): Report => {
    const phone_numbers = [number];
    const fails = outcomeOf(number) === "failed_number" && isFirst(request);
    if (!fails) return { kind: "number_active", raw_status: "PORTED", phone_numbers };
    const rejection = { raw_code: "SWITCH_FAULT", raw_text: "The switch did not take the number." };
    return { kind: "number_failed", raw_status: "PORT_FAILED", phone_numbers, rejection };
  });
  return [{ kind: "activating", raw_status: "IN_CUTOVER" }, ...numbers];
}

/** Each update twice, and each pair in reverse order. */
function duplicatedAndSwapped(updates: readonly Update[]): readonly Step[] {
  return updates.flatMap((first, n): Step[] => {
    if (n % 2 === 1) return [];
    const second = updates[n + 1];
    return [second === undefined ? [first, first] : [second, first, second, first]];
  });
}

function isFirst({ request_version: version }: CarrierRequest): boolean {
  return version === null || version <= 1;
}

function focOf(request: CarrierRequest, { termsOf, requestedAt }: ScriptTime): string {
  const asked = { wanted: request.foc_requested, requestedAt: new Date(requestedAt) };
  return request.foc_actual ?? confirmedFoc(termsOfRequest(termsOf, request), asked);
}
