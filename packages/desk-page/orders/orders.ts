import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  deskCommentAnswer,
  deskOrderAnswer,
  deskTimelineEntryAnswer,
  orderSummaryAnswer,
  traceEntryAnswer,
} from "../../../services/desk/orders/answers.ts";
import type { deskDeliveryAnswer } from "../../../services/desk/webhooks/answers.ts";
import { ORDER_STATUSES } from "../../../services/domain/order/rules/order.ts";
import {
  factsOf,
  isCancelling,
  isEnded,
  isMovingNumbers,
} from "../../../services/domain/order/rules/status-facts.ts";
import type { Tone } from "../../ui/badge.tsx";
import { request, withQuery, type Page } from "../../ui/http/request.ts";
import { instantOf } from "../../ui/zoned-time.ts";

export type Order = z.infer<typeof deskOrderAnswer>;
export type OrderSummary = z.infer<typeof orderSummaryAnswer>;
export type OrderStatus = Order["status"];
export type TimelineEntry = z.infer<typeof deskTimelineEntryAnswer>;
export type Comment = z.infer<typeof deskCommentAnswer>;
export type Delivery = z.infer<typeof deskDeliveryAnswer>;
export type TraceEntry = z.infer<typeof traceEntryAnswer>;

export const ORDERS = "/desk/v1/orders";
const MAX_PAGE_SIZE = 250;

interface OrderQuery {
  readonly q: string;
  readonly status: readonly OrderStatus[];
  readonly provider: string;
  readonly country_code: string;
  readonly account_id: string;
  readonly batch_id: string;
  readonly losing_carrier: string;
  readonly attention: string;
  readonly foc_after: string | null;
  readonly foc_before: string | null;
}

export function useOrder(id: string) {
  return useQuery({
    queryKey: ["orders", id],
    queryFn: ({ signal }) => request<Order>("GET", `${ORDERS}/${id}`, { signal }),
  });
}

/** What an order has in a list of its own, newest first, a page at a time. */
function useOrderPart<T extends { readonly id: string }>(id: string, part: string) {
  return useInfiniteQuery({
    queryKey: ["orders", id, part],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: MAX_PAGE_SIZE, starting_after: pageParam };
      return request<Page<T>>("GET", withQuery(`${ORDERS}/${id}/${part}`, query), { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ data, has_more: hasMore }) => (hasMore ? data.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
}

export const useTimeline = (id: string) => useOrderPart<TimelineEntry>(id, "timeline");
export const useComments = (id: string) => useOrderPart<Comment>(id, "comments");
export const useDeliveries = (id: string) => useOrderPart<Delivery>(id, "deliveries");
/** A delivery with the bodies of its answers, which lists leave out; asked for while it is open. */
export function useDelivery(id: string, isOpen: boolean) {
  return useQuery({
    queryKey: ["deliveries", id],
    queryFn: ({ signal }) => request<Delivery>("GET", `/desk/v1/deliveries/${id}`, { signal }),
    enabled: isOpen,
  });
}

export const useTrace = (id: string) => useOrderPart<TraceEntry>(id, "messages");

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
  active: { name: "Live", tone: "good" },
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
  duplicate: "Duplicate",
  comment: "Comment",
  review_overdue: "Overdue",
} as const;

/** `toll_free` → `toll-free`, as people write it. */
export function typeName(numberType: string): string {
  return numberType.replaceAll("_", "-");
}

/** The page of a number, by its digits: a plus in an address reads as a space. */
export function numberPath(phoneNumber: string): string {
  return `/numbers/${phoneNumber.replace("+", "")}`;
}

/** `+12125550123 and 4 more`. */
export function numbersTitle(first: string, count: number): string {
  return count > 1 ? `${first} and ${count - 1} more` : first;
}

export type Stepping = Pick<OrderSummary, "next_action" | "attention" | "status">;

interface NextStep {
  readonly who: string;
  /** What is to be done, to be read after who. */
  readonly what: string;
  /** What the time means, to be read before it; null where nothing happens by itself. */
  readonly by: string | null;
}

const WHO = {
  customer: "The customer",
  desk: "The desk",
  carrier: "The carrier",
  none: "Nobody",
} as const;

/** Who must do what, and what happens when. */
export function nextStepOf(order: Stepping): NextStep {
  const { actor, action, due_at: due } = order.next_action;
  const { what, by } = stepWords(order, action);
  return { who: WHO[actor], what, by: due === null ? null : by };
}

interface StepWords {
  readonly what: string;
  readonly by: string;
}

function stepWords(order: Stepping, action: Order["next_action"]["action"]): StepWords {
  switch (action) {
    case "complete_requirements":
      return { what: "completes the requirements", by: "or the draft is deleted" };
    case "submit":
      return { what: "submits the order", by: "or the draft is deleted" };
    case "wait_for_review":
      return { what: "reviews the submission", by: "due" };
    case "wait_for_carrier":
      return { what: carrierStep(order.status), by: "due" };
    case "fix_requirement":
      return { what: "corrects what was rejected", by: "or the order closes" };
    case "submit_again":
      return { what: "submits the order again", by: "or the order closes" };
    case "wait_for_activation":
      return { what: "moves the numbers", by: "port date" };
    case "confirm_date":
      return { what: "confirms the earlier date", by: "due" };
    case "handle_exception":
      return { what: "looks into it and calls the carrier", by: "port date" };
    case "none":
      return { what: "has to do anything: the order has ended", by: "ended" };
  }
}

function carrierStep(status: Order["status"]): string {
  switch (factsOf(status).awaited) {
    case "acknowledged":
      return "acknowledges the request";
    case "carrier_date":
      return "names the port date";
    case "activating":
    case "numbers":
      return "moves the numbers";
    case "cancel_answer":
      return "confirms or refuses the cancellation";
    case null:
      return "answers";
  }
}

export const FILTER_NAMES = [
  "q",
  "status",
  "provider",
  "country",
  "attention",
  "account",
  "batch",
  "carrier",
  "foc_from",
  "foc_to",
] as const;

export type ListFilters = Readonly<Record<(typeof FILTER_NAMES)[number], string>>;

/** Several statuses that one asks for at once. */
export const STATUS_GROUPS: Readonly<
  Record<string, { readonly name: string; readonly statuses: readonly OrderStatus[] }>
> = {
  open: { name: "Open", statuses: ORDER_STATUSES.filter((status) => !isEnded({ status })) },
  at_carrier: {
    name: "At the carrier",
    statuses: ORDER_STATUSES.filter((status) => factsOf(status).actor === "carrier"),
  },
  ended: { name: "Ended", statuses: ORDER_STATUSES.filter((status) => isEnded({ status })) },
};

/** What the service is asked, for what stands in the URL; days are those of the browser's zone. */
export function orderQueryOf(filters: ListFilters, zone: string): OrderQuery {
  return {
    q: filters.q,
    status: statusesOf(filters.status),
    provider: filters.provider,
    country_code: filters.country,
    account_id: filters.account,
    batch_id: filters.batch,
    losing_carrier: filters.carrier,
    attention: filters.attention,
    foc_after: startOf(filters.foc_from, zone),
    foc_before: startOf(dayAfter(filters.foc_to), zone),
  };
}

function statusesOf(given: string): readonly OrderStatus[] {
  if (given === "") return [];
  return STATUS_GROUPS[given]?.statuses ?? [given as OrderStatus];
}

function startOf(date: string, zone: string): string | null {
  return instantOf({ date, time: "00:00", zone });
}

function dayAfter(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return "";
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}

/** Whether the desk may close the order: any open one but while its numbers are being moved. */
export function canClose({ status }: Pick<Order, "status">): boolean {
  return !isEnded({ status }) && !isMovingNumbers(status);
}

/** What closing does to the order as it is now, and what its customer is told. */
export function closeConsequence({
  status,
  request_version: sent,
}: Pick<Order, "status" | "request_version">): string {
  if (isCancelling(status)) {
    return "The order is cancelled at once, without the carrier’s answer: make sure that it has stopped the port. The customer is told.";
  }
  if (sent === 0) {
    return "The order never went to the carrier, so it is cancelled at once. The customer is told, and it cannot be opened again.";
  }
  return "The carrier is asked to cancel. The order waits in cancel pending until it confirms; if it refuses, the port goes on. The customer is told.";
}

/** What is written about an order. */
export type Writing = "comment" | "note";

/** Under which the browser keeps it until it is sent: one draft, wherever in the desk it is written. */
export function writingKey(kind: Writing, orderId: string): string {
  return `${kind}:${orderId}`;
}
