import type { Tone } from "../../ui/badge.tsx";
import type { Order, OrderStatus } from "./queries.ts";

interface StatusWords {
  readonly name: string;
  readonly tone: Tone;
}

/** Every status as the desk reads it, in the sequence of an order's life. */
export const STATUS_WORDS: Readonly<Record<OrderStatus, StatusWords>> = {
  draft: { name: "Draft", tone: "neutral" },
  in_review: { name: "In review", tone: "info" },
  submitted: { name: "Submitted", tone: "info" },
  in_process: { name: "In process", tone: "info" },
  rejection: { name: "Rejection", tone: "bad" },
  foc_scheduled: { name: "FOC scheduled", tone: "info" },
  activating: { name: "Activating", tone: "info" },
  completed: { name: "Completed", tone: "good" },
  completed_partial: { name: "Partly completed", tone: "warning" },
  cancel_pending: { name: "Cancel pending", tone: "warning" },
  cancelled: { name: "Cancelled", tone: "neutral" },
};

export const NUMBER_WORDS: Readonly<
  Record<Order["numbers"][number]["status"], { readonly name: string; readonly tone: Tone }>
> = {
  pending: { name: "Pending", tone: "neutral" },
  activating: { name: "Activating", tone: "info" },
  active: { name: "Active", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
  cancelled: { name: "Cancelled", tone: "neutral" },
};

export const REQUIREMENT_WORDS: Readonly<
  Record<Order["requirements"][number]["status"], { readonly name: string; readonly tone: Tone }>
> = {
  "requirement-info-pending": { name: "Pending", tone: "neutral" },
  "requirement-info-under-review": { name: "Under review", tone: "info" },
  "requirement-info-exception": { name: "Rejected", tone: "bad" },
  approved: { name: "Approved", tone: "good" },
};

export const ATTENTION_WORDS = {
  carrier: "Carrier",
  dead_letter: "Dead letter",
  review_overdue: "Overdue",
} as const;

/** `toll_free` → `toll-free`, as people write it. */
export function typeName(numberType: string): string {
  return numberType.replaceAll("_", "-");
}

/** `+12125550123 and 4 more`. */
export function numbersTitle(first: string, count: number): string {
  return count > 1 ? `${first} and ${count - 1} more` : first;
}

/** `1 number`, `4 numbers`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
