import type { CallUpdate } from "../../../messages/generated/call-update.ts";
import type { PortOutUpdate } from "../../../messages/generated/port-out-update.ts";
import {
  instantText,
  MAX_INSTANT_LENGTH,
  MAX_OFFSET,
} from "../../../platform/calendar/instant-text.ts";
import { hasAtMost } from "../../../platform/characters.ts";
import { AppError } from "../../../platform/errors.ts";
import { isE164 } from "../../number/rules/classify-number.ts";
import type { Order } from "../../order/rules/order.ts";
import { REQUESTER_FIELDS } from "../../port-out/rules/requester.ts";

/** A fault in a carrier's update: where it is, a code and a sentence. */
export interface CarrierRuleFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export function faultAt(path: string, code: string, detail: string): CarrierRuleFault {
  return { pointer: `#/${path}`, code, detail };
}

/** Postgres stores no NUL character in a text. */
function findNulFault(path: string, text: string): CarrierRuleFault | null {
  if (!text.includes("\0")) return null;
  return faultAt(path, "invalid_value", "It contains a NUL character.");
}

function findLengthFault(path: string, text: string, longest: number): CarrierRuleFault | null {
  if (hasAtMost(longest, text)) return null;
  return faultAt(path, "too_long", `It has more than ${longest} characters.`);
}

function unknownKind(): CarrierRuleFault {
  return faultAt("kind", "invalid_value", "This version does not know the kind.");
}

/** The span of time, in epoch milliseconds, in which what a carrier reports can have happened. */
interface TimeBounds {
  readonly earliest: number;
  readonly now: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** How far a carrier's clock may be ahead of ours. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** How far ahead a carrier may plan. */
const FURTHEST_DATE_MS = 365 * DAY_MS;
/** Nothing that is reported here happened before; times in seconds instead of milliseconds lie in 1970. */
const FIRST_OF_ALL = Date.UTC(2020, 0, 1);

/** The bounds of what is reported on an order: nothing happens to it earlier than the day before it was made. */
function boundsOfOrder({ created_at }: { readonly created_at: Date }, now: Date): TimeBounds {
  return { earliest: created_at.getTime() - DAY_MS, now: now.getTime() };
}

/** The bounds of what is reported on anything else. */
function boundsAt(now: Date): TimeBounds {
  return { earliest: FIRST_OF_ALL, now: now.getTime() };
}

/** Checks an update's `occurred_at`, in epoch milliseconds. */
function findTimeFault(occurredAt: number, bounds: TimeBounds): CarrierRuleFault | null {
  const latest = bounds.now + CLOCK_TOLERANCE_MS;
  return findSpanFault("occurred_at", occurredAt, { ...bounds, latest });
}

/** Checks a date sent by a carrier; an absent date has no fault. */
function findDateFault(
  name: string,
  text: string | null,
  bounds: TimeBounds,
): CarrierRuleFault | null {
  if (text === null) return null;
  const read = instantText.safeParse(text);
  if (!read.success) {
    return faultAt(
      name,
      "invalid_format",
      `It is not an ISO 8601 instant with an offset of ${MAX_OFFSET} at most from UTC, in up to ${MAX_INSTANT_LENGTH} characters.`,
    );
  }
  return findSpanFault(name, Date.parse(read.data), {
    ...bounds,
    latest: bounds.now + FURTHEST_DATE_MS,
  });
}

function findSpanFault(
  name: string,
  instant: number,
  { earliest, latest }: { readonly earliest: number; readonly latest: number },
): CarrierRuleFault | null {
  if (instant >= earliest && instant <= latest) return null;
  const [is, from, to] = [instant, earliest, latest].map(readable);
  return faultAt(name, "invalid_value", `It is ${is}, which is not between ${from} and ${to}.`);
}

/** ISO 8601, or the number itself where no calendar has the instant. */
function readable(instant: number): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? String(instant) : date.toISOString();
}

/** Enough to recognise a name by, which may have any length. */
const SHOWN = 64;

/** For its sender's receipt and the desk: the name as it came, and where those stand that there are. */
export function unknownProvider(name: string): AppError {
  const shown = JSON.stringify(name.slice(0, SHOWN));
  const detail = `There is no provider ${shown}: the names are those of the files in CARRIERS_DIR/providers.`;
  return new AppError("provider_mismatch", detail);
}

const MAX_TEXT_LENGTH = 255;

/** The fields required for each kind of update, besides the common ones. */
const NEEDED = {
  forwarded: ["forwarded_by", "stage"],
  completed: ["duration_seconds", "ended_by"],
  missed: ["reason"],
} as const satisfies Record<
  Exclude<CallUpdate["kind"], "unrecognized">,
  readonly (keyof CallUpdate)[]
>;

/** Finds the first fault of a call update (docs/contract/messages.md, What integrations publish); null if it is valid. */
export function findCallFault(update: CallUpdate, now: Date): CarrierRuleFault | null {
  const { call_id, provider, from, to, kind } = update;
  const texts = Object.entries({ call_id, provider, from, to });
  for (const [name, text] of texts) {
    const fault = findLengthFault(name, text, MAX_TEXT_LENGTH) ?? findNulFault(name, text);
    if (fault !== null) return fault;
  }
  if (call_id === "") return faultAt("call_id", "required", "It is required.");
  if (provider === "") return faultAt("provider", "required", "It is required.");
  if (!isE164(update.phone_number))
    return faultAt("phone_number", "invalid_number", "It is not in E.164.");
  const mistimed = findTimeFault(update.occurred_at, boundsAt(now));
  if (mistimed !== null) return mistimed;
  if (kind === "unrecognized") return unknownKind();
  for (const name of NEEDED[kind]) {
    const value = update[name];
    if (value === null) return faultAt(name, "required", `It is required for a ${kind} call.`);
    if (value === "unrecognized") {
      return faultAt(name, "invalid_value", "This version does not know the value.");
    }
  }
  if ((update.duration_seconds ?? 0) < 0) {
    return faultAt("duration_seconds", "invalid_value", "It must not be negative.");
  }
  return null;
}

const MAX_ID_LENGTH = 255;
const LONGEST_TEXT = 255;
const MAX_NUMBERS = 1_000;

/**
 * Finds the first fault of a port-out update (docs/contract/messages.md, What integrations publish); null if it is
 * valid. Faults never repeat a PIN.
 */
export function findPortOutFault(update: PortOutUpdate, now: Date): CarrierRuleFault | null {
  const bounds = boundsAt(now);
  return (
    findUnreadable(update) ??
    findTimeFault(update.occurred_at, bounds) ??
    findWrongNumber(update) ??
    findWrongRequest(update, bounds)
  );
}

function findUnreadable(update: PortOutUpdate): CarrierRuleFault | null {
  const { update_id, port_out_ref, gaining_carrier, requested_foc, attempted_pin } = update;
  for (const [name, id] of Object.entries({ update_id, port_out_ref })) {
    if (id === "" || id.length > MAX_ID_LENGTH) {
      return faultAt(name, "invalid_value", `It must have 1 to ${MAX_ID_LENGTH} characters.`);
    }
  }
  const stated = Object.fromEntries(REQUESTER_FIELDS.map((name) => [name, update[name]]));
  const texts = {
    update_id,
    port_out_ref,
    gaining_carrier,
    requested_foc,
    attempted_pin,
    ...stated,
  };
  for (const [name, text] of Object.entries(texts)) {
    if (text === null) continue;
    const fault = findNulFault(name, text) ?? findLengthFault(name, text, LONGEST_TEXT);
    if (fault !== null) return fault;
  }
  return null;
}

function findWrongNumber({ phone_numbers: numbers }: PortOutUpdate): CarrierRuleFault | null {
  if (numbers.length === 0) return faultAt("phone_numbers", "required", "It lists no numbers.");
  if (numbers.length > MAX_NUMBERS) {
    return faultAt("phone_numbers", "too_many", `It lists more than ${MAX_NUMBERS} numbers.`);
  }
  const wrong = numbers.findIndex((number) => !isE164(number));
  if (wrong >= 0) return faultAt(`phone_numbers/${wrong}`, "invalid_number", "It is not in E.164.");
  const repeated = numbers.findIndex((number, n) => numbers.indexOf(number) !== n);
  return repeated < 0
    ? null
    : faultAt(`phone_numbers/${repeated}`, "duplicate_number", "It is listed twice.");
}

function findWrongRequest(update: PortOutUpdate, bounds: TimeBounds): CarrierRuleFault | null {
  if (update.kind === "unrecognized") return unknownKind();
  if (update.kind === "requested" && update.gaining_carrier === "") {
    return faultAt("gaining_carrier", "required", "A request must name the gaining carrier.");
  }
  const asked = update.kind === "requested" ? update.requested_foc : null;
  return (
    findDateFault("requested_foc", asked, bounds) ?? findDateFault("foc_at", update.foc_at, bounds)
  );
}

const LONGEST_ID = 255;
/** Maximum lengths in characters, because these texts are shown in every response and event of the order. */
const LONGEST: Readonly<Record<string, number>> = {
  raw_status: 1_000,
  comment: 4_000,
  "rejection/raw_code": 255,
  "rejection/raw_text": 4_000,
};

/** The fields of a status update that the rules check. */
export interface RuledUpdate {
  readonly update_id: string;
  /** The update's own kind, or the provider table's kind for its raw status. */
  readonly kind: string | null;
  /** Epoch milliseconds. */
  readonly occurred_at: number;
  readonly raw_status: string;
  readonly comment: string | null;
  readonly request_version: number;
  readonly foc_at: string | null;
  readonly rejection: { readonly raw_code: string; readonly raw_text: string } | null;
  readonly phone_numbers: readonly string[] | null;
}

/**
 * Finds the first fault of a status update, whatever the order's state (docs/contract/messages.md, What integrations
 * publish); null if it is valid.
 */
export function findCarrierRuleFault(
  update: RuledUpdate,
  order: Order,
  now: Date,
): CarrierRuleFault | null {
  return findUnreadableUpdate(update) ?? findMisfit(update, order, now);
}

/** Finds a fault that would prevent storing the update. */
export function findUnreadableUpdate(update: RuledUpdate): CarrierRuleFault | null {
  const { update_id: id, raw_status, comment, rejection } = update;
  if (id === "" || id.length > LONGEST_ID) {
    return faultAt("update_id", "invalid_value", `It must have 1 to ${LONGEST_ID} characters.`);
  }
  const texts = {
    update_id: id,
    raw_status,
    comment,
    "rejection/raw_code": rejection?.raw_code,
    "rejection/raw_text": rejection?.raw_text,
  };
  for (const [name, text = ""] of Object.entries(texts)) {
    const fault = text === null ? null : findTextFault(name, text);
    if (fault !== null) return fault;
  }
  return null;
}

function findTextFault(name: string, text: string): CarrierRuleFault | null {
  return findNulFault(name, text) ?? findLengthFault(name, text, LONGEST[name] ?? LONGEST_ID);
}

/** Finds a field that does not fit the order, the update's kind or the time. */
export function findMisfit(update: RuledUpdate, order: Order, now: Date): CarrierRuleFault | null {
  const bounds = boundsOfOrder(order, now);
  const known = new Set(order.numbers.map((number) => number.phone_number));
  const foreign = update.phone_numbers?.findIndex((number) => !known.has(number)) ?? -1;
  const dated = update.kind === "date_confirmed" || update.kind === "date_moved";
  if (update.kind === "unrecognized") return unknownKind();
  if (update.request_version > order.request_version || update.request_version < 1) {
    return faultAt("request_version", "never_sent", "This request version was never sent.");
  }
  if (update.phone_numbers?.length === 0) {
    return faultAt("phone_numbers", "required", "It lists no numbers; leave it out to mean all.");
  }
  if (foreign >= 0) {
    return faultAt(
      `phone_numbers/${foreign}`,
      "unknown_number",
      "It is not a number of the order.",
    );
  }
  if (dated && update.foc_at === null) {
    return faultAt("foc_at", "required", "It is required for this kind.");
  }
  const misdated =
    findTimeFault(update.occurred_at, bounds) ?? findDateFault("foc_at", update.foc_at, bounds);
  if (misdated !== null) return misdated;
  if (update.kind === "rejected" && update.rejection === null) {
    return faultAt("rejection", "required", "A rejection must have a code.");
  }
  return null;
}
