import type { z } from "zod";
import type { StatusUpdateKind } from "../../../../domain/order/rules/status-update.ts";
import type { carrierUpdateBody } from "../../../../desk/orders/answers.ts";
import { instantOf, zonedTimeOf, type ZonedTime } from "../../../ui/zoned/zoned-time.ts";
import { UPDATE_KINDS } from "./update-kinds.ts";

export type UpdateBody = z.input<typeof carrierUpdateBody>;

/** What stands in the form. */
export interface UpdateDraft {
  readonly kind: StatusUpdateKind | null;
  readonly rawStatus: string;
  readonly occurred: ZonedTime;
  readonly foc: ZonedTime;
  readonly version: number;
  readonly rawCode: string;
  readonly rawText: string;
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
        rejection: { raw_code: draft.rawCode, raw_text: draft.rawText.trim() },
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
