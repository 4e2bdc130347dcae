import { useQuery } from "@tanstack/react-query";
import { useCommand } from "../../ui/http/command.ts";
import { readOf, useList, useRead } from "../../ui/http/read.ts";
import { Problem, withQuery, type Fetch, type Page } from "../../ui/http/request.ts";
import type {
  Comment,
  ListedOrder,
  Order,
  Readiness,
  Requirement,
  TimelineEntry,
} from "./order-words.ts";
import type { FormProps } from "./requirements/requirement-list.tsx";

const PATH = "/v2/porting_orders";
/** How often an open page looks for what desk and carrier did meanwhile. */
const LOOK_AGAIN_MS = 15_000;
const WHILE_CHECKING_MS = 1_000;

export function useOrders(query: Parameters<typeof withQuery>[1]) {
  const path = withQuery(PATH, { limit: 25, include: "requirements", ...query });
  return useList<ListedOrder>("orders", path);
}

export function useOrder(id: string) {
  return useQuery({
    ...readOf<Order>("orders", orderPath(id)),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** What blocks a submission; asked again every second while a document is being checked. */
export function useReadiness(id: string) {
  return useQuery({
    ...readOf<Readiness>("orders", orderPath(id, "/readiness")),
    refetchInterval: ({ state: { data } }) =>
      data?.blocking.some(({ code }) => code === "checking") === true
        ? WHILE_CHECKING_MS
        : LOOK_AGAIN_MS,
  });
}

export function useTimeline(id: string) {
  return useRead<Page<TimelineEntry>>("orders", orderPath(id, "/timeline?limit=100"));
}

export function useComments(id: string) {
  return useQuery({
    ...readOf<Page<Comment>>("orders", orderPath(id, "/comments?limit=100")),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function orderPath(id: string, below = ""): string {
  return `${PATH}/${id}${below}`;
}

/** A command on an order; what is shown of orders is fetched again after it. */
export function useOrderCommand(draft?: string) {
  return useCommand({ refreshes: ["orders"], ...(draft === undefined ? {} : { draft }) });
}

interface Saving {
  /** In place of `fetch`. */
  readonly via?: Fetch;
  /** Also where the form is no longer shown. */
  readonly onSaved?: () => void;
}

/** Writes a requirement; what the service says of the value is shown at the field. */
export function useField({ order, requirement, onDone }: FormProps) {
  const write = useOrderCommand();
  const path = orderPath(order.id, `/requirements/${requirement.slug}`);
  return {
    isBusy: write.isPending,
    error: write.error === null ? null : faultText(write.error),
    save: (body: unknown, { via, onSaved }: Saving = {}) =>
      write.run(
        { method: "PATCH", path, body, ...(via === undefined ? {} : { via }) },
        { onDone: () => onSaved?.(), whileShown: onDone },
      ),
  };
}

/** Under which the tab keeps what is typed into a field until it is saved. */
export function fieldKey({ id }: Pick<Order, "id">, { slug }: Pick<Requirement, "slug">): string {
  return `field:${id}:${slug}`;
}

/** Where the service's own sentence is for programs. */
const WORDS: Readonly<Record<string, string>> = {
  invalid_number:
    "It is not a valid phone number. Write it with its area code, as it stands on the bill.",
};

/** The service's own sentences on what is wrong, all of them. */
export function faultText(error: Error): string {
  if (!(error instanceof Problem) || error.faults.length === 0) return error.message;
  return error.faults.map(({ code, detail }) => WORDS[code] ?? detail).join(" ");
}
