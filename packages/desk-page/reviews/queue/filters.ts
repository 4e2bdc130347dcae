import { dayOf, startOfDay } from "../../../ui/zoned-time.ts";
import { sortingOf, sortParameters, type Sorting } from "../../../ui/list-rules.ts";
import { VIEWS, type View } from "../reviews.ts";

const DUE = ["", "today", "tomorrow"] as const;

/** Cases that are due today or tomorrow at the latest, by the browser's days; empty for all. */
export type Due = (typeof DUE)[number];

/** What the page of the queue shows; all of it stands in the URL. */
export interface QueueFilters {
  readonly view: View;
  readonly q: string;
  readonly country_code: string;
  readonly number_type: string;
  readonly provider: string;
  readonly account_id: string;
  readonly due: Due;
  /** As the columns are sorted; empty for the longest waiting first. */
  readonly order_by: string;
  readonly order: string;
  /** The case after which the page begins. */
  readonly after: string;
}

export const LONGEST_WAITING: Sorting = { by: "submitted_at", order: "asc" };

/** As `GET /reviews` takes it. */
export type QueueQuery = Readonly<Record<string, string | number | undefined>>;

const PAGE_SIZE = 100;

/** The filters beside the view that the service takes as they are. */
const TEXTS = [
  "q",
  "country_code",
  "number_type",
  "provider",
  "account_id",
] as const satisfies readonly (keyof QueueFilters)[];

/** A case is due before the start of the day that many days from today. */
const DAYS_UNTIL: Readonly<Record<Exclude<Due, "">, number>> = { today: 1, tomorrow: 2 };

function givenOf({ due, ...filters }: QueueFilters): Record<string, string> {
  const given = TEXTS.filter((name) => filters[name] !== "");
  return {
    ...Object.fromEntries(given.map((name) => [name, filters[name]])),
    ...(due === "" ? {} : { due_before: startOfDay(dayOf(DAYS_UNTIL[due])) }),
  };
}

const VIEW_QUERY: Readonly<Record<View, QueueQuery>> = {
  mine: { claimed_by: "me" },
  unclaimed: { claimed_by: "none" },
  overdue: { overdue: "true" },
  all: {},
};

export function filtersOf(search: URLSearchParams): QueueFilters {
  const text = (name: string): string => search.get(name) ?? "";
  return {
    view: VIEWS.find((view) => view === search.get("view")) ?? "unclaimed",
    q: text("q"),
    country_code: text("country_code"),
    number_type: text("number_type"),
    provider: text("provider"),
    account_id: text("account_id"),
    due: DUE.find((due) => due === text("due")) ?? "",
    order_by: text("order_by"),
    order: text("order"),
    after: text("after"),
  };
}

export function queryOf(filters: QueueFilters): QueueQuery {
  return {
    ...givenOf(filters),
    ...VIEW_QUERY[filters.view],
    ...sortOf(filters),
    limit: PAGE_SIZE,
    ...(filters.after === "" ? {} : { starting_after: filters.after }),
  };
}

function sortOf({ order_by: by, order }: QueueFilters): QueueQuery {
  const given = sortParameters(sortingOf({ by, order }, LONGEST_WAITING), LONGEST_WAITING);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

/** The filters by which the next free case is taken; whose cases are shown does not matter to it. */
export function nextBodyOf(filters: QueueFilters) {
  return { ...givenOf(filters), ...(filters.view === "overdue" ? { overdue: true } : {}) };
}

/** The search of a URL with these changes; a change of the filters begins at the first page. */
export function searchWith(
  search: URLSearchParams,
  changes: Partial<QueueFilters>,
): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("after");
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Whether anything beside the view narrows the list. */
export function isFiltered(filters: QueueFilters): boolean {
  return filters.due !== "" || TEXTS.some((name) => filters[name] !== "");
}
