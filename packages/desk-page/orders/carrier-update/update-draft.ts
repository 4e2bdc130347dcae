import type { z } from "zod";
import type {
  carrierUpdateBody,
  updateEffectAnswer,
} from "../../../../services/desk/orders/answers.ts";
import type { StatusUpdateKind } from "../../../../services/domain/order/rules/status-update.ts";
import { counted } from "../../../ui/list-rules.ts";
import { instantOf, zonedTimeOf, type ZonedTime } from "../../../ui/zoned-time.ts";
import { NUMBER_WORDS, STATUS_WORDS, type OrderStatus } from "../orders.ts";

/** What a kind of status update asks for beside the carrier's word and its time. */
export interface UpdateKind {
  /** What the carrier said, as the desk would put it. */
  readonly name: string;
  readonly needsDate?: boolean;
  /** `required`: the carrier has to name a reason; `optional`: it may. */
  readonly reason?: "required" | "optional";
  /** It can be about some of the numbers. */
  readonly picksNumbers?: boolean;
  readonly needsComment?: boolean;
  /** It cannot be taken back, so it is asked twice. */
  readonly isFinal?: boolean;
}

/** The kinds in the sequence of a port. */
export const UPDATE_KINDS: Readonly<Record<StatusUpdateKind, UpdateKind>> = {
  acknowledged: { name: "It has received the request" },
  date_confirmed: { name: "It confirms a port date", needsDate: true },
  date_moved: { name: "It moves the port date", needsDate: true },
  rejected: { name: "It rejects: something must be corrected", reason: "required" },
  refused: { name: "It refuses for good", reason: "optional", isFinal: true },
  activating: { name: "It has started to move the numbers" },
  number_active: { name: "Numbers are active", picksNumbers: true, isFinal: true },
  number_failed: { name: "Numbers have failed", picksNumbers: true, reason: "required" },
  cancel_confirmed: { name: "It confirms the cancellation" },
  cancel_refused: { name: "It refuses to cancel" },
  change_refused: { name: "It refuses the change", reason: "optional" },
  comment: { name: "Only a comment", needsComment: true },
};

type UpdateBody = z.input<typeof carrierUpdateBody>;

/** What stands in the form. */
export interface UpdateDraft {
  readonly kind: StatusUpdateKind | null;
  readonly rawStatus: string;
  readonly occurred: ZonedTime;
  readonly foc: ZonedTime;
  readonly version: number;
  readonly rawCode: string;
  readonly rawText: string;
  /** The requirement that the rejection concerns; empty for that of the code. */
  readonly slug: string;
  /** Null for all numbers that are not settled. */
  readonly numbers: readonly string[] | null;
  readonly comment: string;
}

/** Under which the browser keeps what stands in an order's form. */
export function draftKey(orderId: string): string {
  return `carrier-update:${orderId}`;
}

interface Start {
  readonly now: number;
  readonly zone: string;
  readonly version: number;
}

export function emptyDraft({ now, zone, version }: Start): UpdateDraft {
  return {
    kind: null,
    rawStatus: "",
    occurred: zonedTimeOf(now, zone),
    foc: { date: "", time: "", zone },
    version,
    rawCode: "",
    rawText: "",
    slug: "",
    numbers: null,
    comment: "",
  };
}

/** What is missing in the form, by the JSON pointer of its field. */
export type Missing = Readonly<Partial<Record<string, string>>>;

export function missingIn(draft: UpdateDraft): Missing {
  const { needsDate, reason, needsComment } = kindOf(draft);
  return {
    ...(draft.rawStatus.trim() === "" && { "#/raw_status": "Write the carrier’s own word." }),
    ...(instantOf(draft.occurred) === null && { "#/occurred_at": "Give a date and a time." }),
    ...(needsDate && instantOf(draft.foc) === null && { "#/foc_at": "Give a date and a time." }),
    ...(reason === "required" &&
      draft.rawCode === "" && { "#/rejection/raw_code": "Choose a code." }),
    ...(draft.numbers?.length === 0 && { "#/phone_numbers": "Choose at least one number." }),
    ...(needsComment && draft.comment.trim() === "" && { "#/comment": "Write the comment." }),
  };
}

/** The request's body; a field that the kind does not ask for is left out, whatever was typed before. */
export function bodyOf(draft: UpdateDraft): UpdateBody {
  const { needsDate, reason, picksNumbers } = kindOf(draft);
  const focAt = needsDate ? instantOf(draft.foc) : null;
  const occurredAt = instantOf(draft.occurred);
  const comment = draft.comment.trim();
  return {
    ...(draft.kind !== null && { kind: draft.kind }),
    raw_status: draft.rawStatus.trim(),
    request_version: draft.version,
    ...(occurredAt !== null && { occurred_at: occurredAt }),
    ...(focAt !== null && { foc_at: focAt }),
    ...(reason !== undefined &&
      draft.rawCode !== "" && {
        rejection: {
          raw_code: draft.rawCode,
          raw_text: draft.rawText.trim(),
          ...(draft.slug !== "" && { slug: draft.slug }),
        },
      }),
    ...(picksNumbers && draft.numbers !== null && { phone_numbers: [...draft.numbers] }),
    ...(comment !== "" && { comment }),
  };
}

/** The FOC date of the draft; null where its kind has none. */
export function focOf(draft: UpdateDraft): ZonedTime | null {
  return kindOf(draft).needsDate ? draft.foc : null;
}

function kindOf({ kind }: UpdateDraft) {
  const facts = kind === null ? undefined : UPDATE_KINDS[kind];
  return { needsDate: false, picksNumbers: false, needsComment: false, isFinal: false, ...facts };
}

export type Effect = z.infer<typeof updateEffectAnswer>;

const BECOMES: Readonly<Partial<Record<OrderStatus, string>>> = {
  rejection: "sends the order back to the customer (Rejection)",
  foc_scheduled: "schedules the port",
  activating: "starts the activation",
  completed: "completes the order",
  completed_partial: "completes the order in part",
  cancelled: "cancels the order for good",
};

/** An event as the customer learns of it: one, and several. */
const TOLD: Readonly<Record<string, readonly [string, string]>> = {
  "porting_order.status_changed": ["status change", "status changes"],
  "porting_order.requirement_updated": ["rejected field", "rejected fields"],
  "porting_order.new_comment": ["comment", "comments"],
  "number.activated": ["activated number", "activated numbers"],
};

/**
 * What a status update does, in a sentence that is read before it is recorded; `focAt` is the date that the carrier
 * named, as the form has it.
 */
export function effectSentence(
  before: OrderStatus,
  effect: Effect,
  focAt: ZonedTime | null,
): string {
  const told = toldIn(effect, before);
  if (effect.ignored !== null) {
    const also = told === null ? "" : ` The customer is told of ${told} all the same.`;
    return `This changes nothing: ${effect.ignored.detail}${also}`;
  }
  const numbers = numbersIn(effect);
  const tells =
    told === null ? "The customer is told nothing." : `The customer is told of ${told}.`;
  const date = focAt === null ? "" : ` The FOC date becomes ${dateText(focAt)}.`;
  const ending = numbers === null ? "" : ` ${numbers}`;
  return `${becomes(before, effect.status)}.${date}${ending} ${tells}`;
}

/** `Thu, Dec 3, 2026, 10:00 America/New_York` in the browser's language: the day of the week shows a slip of the hand. */
function dateText({ date, time, zone }: ZonedTime): string {
  const day = new Date(`${date}T00:00:00Z`).toLocaleDateString(undefined, {
    timeZone: "UTC",
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
  });
  return `${day}, ${time} ${zone}`;
}

function becomes(before: OrderStatus, after: OrderStatus): string {
  if (before === after) return `The order stays in ${STATUS_WORDS[after].name}`;
  return `This ${BECOMES[after] ?? `moves the order to ${STATUS_WORDS[after].name}`}`;
}

function toldIn({ status, events }: Effect, before: OrderStatus): string | null {
  const counts = new Map<string, number>();
  for (const type of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, count]) => {
    const isDate = type === "porting_order.status_changed" && status === before;
    return isDate ? "the new FOC date" : counted(count, ...(TOLD[type] ?? [type, type]));
  });
  return parts.length === 0 ? null : new Intl.ListFormat("en-GB").format(parts);
}

function numbersIn({ numbers }: Effect): string | null {
  const statuses = [...new Set(numbers.map(({ status }) => status))];
  const parts = statuses.map((status) => {
    const own = numbers.filter((one) => one.status === status);
    const who = own.length === 1 ? (own[0]?.phone_number ?? "") : `${own.length} numbers`;
    return `${who} ${own.length === 1 ? "becomes" : "become"} ${NUMBER_WORDS[status].name.toLowerCase()}`;
  });
  return parts.length === 0 ? null : `${parts.join("; ")}.`;
}
