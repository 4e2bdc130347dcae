import fc from "fast-check";
import {
  STATUS_UPDATE_KINDS,
  type StatusUpdateKind,
} from "../../services/domain/order/rules/status-update.ts";
import { WAIT_KINDS, type WaitKind } from "../../services/domain/deadline/deadline.ts";
import { SLUGS_OF_CODE } from "./model-codes.ts";

export const SLUGS = ["entity_name", "auth_person_name", "loa", "invoice", "pin_passcode"] as const;
export const DOCUMENTS: ReadonlySet<string> = new Set(["loa", "invoice"]);
export const PHONES = ["+12125551230", "+12125551231", "+12125551232"] as const;

/** Something that a party or the clock does, before it is applied to an order. */
export type Act =
  /** The party whose turn it is moves the order on. */
  | { readonly act: "advance"; readonly phones: readonly string[] | null }
  | { readonly act: "submit" | "delete" | "sign" | "foc_reached" }
  | { readonly act: "wait"; readonly hours: number }
  /** A wait that has reached its limit. */
  | { readonly act: "overdue"; readonly kind: WaitKind }
  /** The order starts to need the desk's attention, as after a carrier's silence. */
  | { readonly act: "attention" }
  | { readonly act: "patch"; readonly focDays: number | null; readonly removed: readonly string[] }
  | { readonly act: "cancel"; readonly by: "customer" | "ops" }
  | { readonly act: "comment"; readonly by: "customer" | "ops" | "system" }
  | ReviewAct
  | StatusUpdateAct
  | {
      readonly act: "write";
      readonly slug: string;
      readonly content: "value" | "passed" | "empty";
      readonly ageDays: number;
    }
  | {
      readonly act: "check";
      readonly slug: string;
      readonly passed: boolean;
      readonly isLatest: boolean;
    };

export interface ReviewAct {
  readonly act: "review";
  /** Whether each slug under review is approved, rejected or left open. */
  readonly verdicts: readonly ("approve" | "reject" | "leave")[];
  readonly confirm: boolean;
  readonly attemptsBack: number;
  readonly flaw: "unknown_slug" | "twice" | "no_reason" | "approved_again" | null;
  readonly code: string | null;
}

export interface StatusUpdateAct {
  readonly act: "status_update";
  readonly kind: StatusUpdateKind | null;
  readonly raw: string | null;
  readonly versionsBack: number;
  readonly hoursAgo: number;
  readonly focDays: number | null;
  readonly phones: readonly string[] | null;
  readonly code: string | null;
  readonly text: string | null;
  readonly hasComment: boolean;
}

/** Changes after submission, which an earlier date leads to, have tests of their own. */
const MODELLED_WAITS = WAIT_KINDS.filter((kind) => kind !== "date_confirmation");

const phones = fc.oneof(
  fc.constant(null),
  fc.subarray([...PHONES], { minLength: 1 }),
  fc.constantFrom(...PHONES).map((one) => [one]),
);
const code = fc.constantFrom(...Object.keys(SLUGS_OF_CODE), "no_such_code", null);
const focDays = fc.constantFrom(1, 5, 9);
const slug = fc.constantFrom(...SLUGS);

export const statusUpdateAct: fc.Arbitrary<StatusUpdateAct> = fc.record({
  act: fc.constant("status_update"),
  kind: fc.constantFrom(...STATUS_UPDATE_KINDS, null),
  raw: fc.constantFrom("RCVD", "FOC", "JEOPARDY", null),
  versionsBack: fc.constantFrom(0, 0, 0, 0, 1, 2),
  hoursAgo: fc.constantFrom(0, 0, 0, 1, 100),
  focDays: fc.option(focDays, { freq: 6 }),
  phones,
  code,
  text: fc.constantFrom("see the file", "", null),
  hasComment: fc.constantFrom(true, false, false, false),
});

const reviewAct: fc.Arbitrary<ReviewAct> = fc.record({
  act: fc.constant("review"),
  verdicts: fc.array(fc.constantFrom("approve", "approve", "approve", "reject", "leave"), {
    minLength: SLUGS.length,
    maxLength: SLUGS.length,
  }),
  confirm: fc.boolean(),
  attemptsBack: fc.constantFrom(0, 0, 0, 1),
  flaw: fc.constantFrom(null, null, null, "unknown_slug", "twice", "no_reason", "approved_again"),
  code,
});

export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 14, arbitrary: fc.record({ act: fc.constant("advance"), phones }) },
  { weight: 10, arbitrary: statusUpdateAct },
  { weight: 3, arbitrary: reviewAct },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom("submit", "delete") }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("sign") }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("foc_reached") }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("wait"), hours: fc.constantFrom(1, 24, 72, 700) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("attention") }) },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant("overdue"), kind: fc.constantFrom(...MODELLED_WAITS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("patch"),
      focDays: fc.option(focDays),
      removed: fc.array(fc.constantFrom(...PHONES, "+442079460000"), { maxLength: 2 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant("cancel"), by: fc.constantFrom("customer", "ops") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("comment"),
      by: fc.constantFrom("customer", "ops", "system"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("write"),
      slug,
      content: fc.constantFrom("value", "value", "passed", "empty"),
      ageDays: fc.constantFrom(0, 0, 0, 90),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("check"),
      slug,
      passed: fc.constantFrom(true, true, false),
      isLatest: fc.constantFrom(true, true, false),
    }),
  },
);
