import type { z } from "zod";
import type { listedOrderAnswer } from "../../../services/api/orders/answers.ts";
import type { changeAnswer } from "../../../services/domain/order/answers/change-answer.ts";
import type { orderAnswer } from "../../../services/domain/order/answers/order-answer.ts";
import type { timelineEntryAnswer } from "../../../services/domain/order/answers/order-note-answer.ts";
import {
  factsOf,
  hasDateConfirmed,
  isAtCarrier,
  isCancelling,
  isEditable,
} from "../../../services/domain/order/rules/status-facts.ts";
import { targetsOf } from "../../../services/domain/order/rules/transitions.ts";
import type {
  readinessAnswer,
  requirementAnswer,
} from "../../../services/domain/requirement/answers/requirement-answer.ts";
import type { Tone } from "../../ui/badge.tsx";
import { counted } from "../../ui/list-rules.ts";

export type Order = z.infer<typeof orderAnswer>;
export type ListedOrder = z.infer<typeof listedOrderAnswer>;
export type Requirement = z.infer<typeof requirementAnswer>;
export type Readiness = z.infer<typeof readinessAnswer>;
export type Change = z.infer<typeof changeAnswer>;
export type TimelineEntry = z.infer<typeof timelineEntryAnswer>;

type NumberStatus = Order["numbers"][number]["status"];

type Words = readonly [text: string, tone: Tone];

const STATUSES: Readonly<Record<Order["status"], Words>> = {
  draft: ["Draft", "neutral"],
  in_review: ["In review", "info"],
  submitted: ["Sent to the carrier", "info"],
  in_process: ["At the carrier", "info"],
  rejection: ["Needs a correction", "warning"],
  foc_scheduled: ["Date confirmed", "info"],
  activating: ["Moving", "info"],
  completed: ["Completed", "good"],
  completed_partial: ["Completed in part", "warning"],
  cancel_pending: ["Being cancelled", "neutral"],
  cancelled: ["Cancelled", "neutral"],
};

export function statusWords(status: Order["status"]): Words {
  return STATUSES[status];
}

const NUMBER_STATUSES: Readonly<Record<NumberStatus, Words>> = {
  pending: ["Waiting", "neutral"],
  activating: ["Moving", "info"],
  active: ["Live", "good"],
  failed: ["Failed", "bad"],
  cancelled: ["Cancelled", "neutral"],
};

export function numberWords(status: NumberStatus): Words {
  return NUMBER_STATUSES[status];
}

const CHANGE_STATUSES: Readonly<Record<Change["status"], Words>> = {
  pending: ["Waits for the carrier", "info"],
  accepted: ["Accepted", "good"],
  refused: ["Refused", "bad"],
  withdrawn: ["Withdrawn", "neutral"],
};

export function changeWords(status: Change["status"]): Words {
  return CHANGE_STATUSES[status];
}

const ACTIONS: Readonly<Record<Order["next_action"]["action"], string>> = {
  complete_requirements: "Your turn: complete the requirements",
  submit: "Your turn: submit the order",
  wait_for_review: "The porting desk reviews it",
  wait_for_carrier: "The losing carrier works on it",
  fix_requirement: "Your turn: correct what was rejected",
  submit_again: "Your turn: submit it again",
  wait_for_activation: "Waiting for the port date",
  confirm_date: "Your turn: the carrier’s date is before the one that you asked for",
  handle_exception: "The porting desk looks into a problem",
  none: "Nothing more to do",
};

/** What waits on whom. */
export function nextWords({ next_action: { action } }: Pick<Order, "next_action">): string {
  return ACTIONS[action];
}

/** The letter of authorization. */
export const LETTER = "loa";

/** Without a value, or with one that was rejected. */
export function isOpen({ values, ...own }: Requirement): boolean {
  const isValueOpen = ({ status, field_value }: Pick<Requirement, "status" | "field_value">) =>
    field_value === null || status === "requirement-info-exception";
  return (values ?? [own]).some(isValueOpen);
}

/** The mandatory ones that are open; the letter last, because it states the others. */
export function missingOf({ requirements = [] }: Pick<ListedOrder, "requirements">): Requirement[] {
  const open = requirements.filter((requirement) => requirement.mandatory && isOpen(requirement));
  return open.toSorted((a, b) => Number(a.slug === LETTER) - Number(b.slug === LETTER));
}

/** Those whose document failed its check, which block the order like those that are missing. */
export function failedOf({ requirements = [] }: Pick<ListedOrder, "requirements">): Requirement[] {
  return requirements.filter((one) => one.check_state === "failed" && !isOpen(one));
}

export function kindOf({ country_code, number_type }: Pick<Order, "country_code" | "number_type">) {
  return `${country_code} ${number_type.replace("_", " ")}`;
}

/** By the rules alone: the cutoff before the port date is the service's to tell. */
export function canCancel({ status }: Pick<Order, "status">): boolean {
  return targetsOf(status, "customer_cancel").length > 0;
}

/** The carrier has it, and has no other change to answer. */
export function canAskForChange({ status, pending_change_id: pending }: Order): boolean {
  return isAtCarrier(status) && pending === null;
}

/** It can be changed and submitted: not while the desk settles a rejection itself. */
export function isWithCustomer(order: Pick<Order, "status" | "next_action">): boolean {
  return isEditable(order) && order.next_action.action !== "handle_exception";
}

/** How its numbers are set as they become active. */
export function settingsText({ number_configuration: configuration }: Order): string {
  const { port_out_lock: isLocked, forwarding } = configuration?.default ?? {};
  const own = Object.keys(configuration?.numbers ?? {}).length;
  const parts = [
    ...(isLocked === true ? ["locked against port-out"] : []),
    ...(forwarding == null ? [] : [`calls go to ${forwarding.primary}`]),
    ...(own === 0 ? [] : [`${counted(own, "number")} set apart`]),
  ];
  return parts.length === 0 ? "–" : parts.join("; ");
}

/** Whether it was given a value that another order of the holder could be given too. */
export function hasValues({ requirements }: Order): boolean {
  return requirements.some(({ field_type, field_value }) => {
    return field_type !== "document" && field_value !== null;
  });
}

/** Never submitted. */
export function canDelete({ status, submitted_at: at }: Pick<Order, "status" | "submitted_at">) {
  return factsOf(status).deletable && at === null;
}

export function canChange({ status }: Pick<Order, "status">): boolean {
  return factsOf(status).end === null;
}

const ENDS = "It ends at once, and its numbers stay where they are.";
const ASKS =
  "The losing carrier is asked to stop. Until it answers the order is “Being cancelled”; if it refuses, the numbers move as planned.";

/** What cancelling means now. */
export function cancelText({ status }: Pick<Order, "status">): string {
  const targets = targetsOf(status, "customer_cancel");
  const isAsked = targets.some((target) => isCancelling(target));
  if (!isAsked) return `${ENDS} It cannot be opened again.`;
  if (targets.length > 1) {
    return `If it has never reached the losing carrier, it ends at once. Otherwise: ${ASKS}`;
  }
  const isLate = hasDateConfirmed(status);
  return isLate ? `${ASKS} Close to the confirmed date it is too late, and you are told so.` : ASKS;
}

/** What an order waits for, as its customer looks for it: each status is in one view. */
export type View = "yours" | "open" | "done" | "cancelled";

export function viewOf(status: Order["status"]): View {
  const { end, actor } = factsOf(status);
  if (end === "live") return "done";
  if (end === "closed" || isCancelling(status)) return "cancelled";
  return actor === "customer" ? "yours" : "open";
}
