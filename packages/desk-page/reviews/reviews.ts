import type { z } from "zod";
import {
  keepPreviousData,
  queryOptions,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import type {
  caseAnswer,
  queueAnswer,
  queuedCaseAnswer,
  rejectionReasonAnswer,
} from "../../../services/desk/reviews/answers.ts";
import type { StreamHints } from "../../../services/desk/stream/answers.ts";
import { readOf } from "../../ui/http/read.ts";
import { request, withQuery, type Page } from "../../ui/http/request.ts";
import { SESSION_KEY, type Operator } from "../session.ts";
import type { QueueQuery } from "./queue/filters.ts";

export type QueuedCase = z.infer<typeof queuedCaseAnswer>;
export type Queue = z.infer<typeof queueAnswer>;
export type ReviewCase = z.infer<typeof caseAnswer>;
export type CaseRequirement = ReviewCase["requirements"][number];
export type CaseDocument = ReviewCase["documents"][number];
export type Match = CaseRequirement["matches"][number];
export type EarlierCase = ReviewCase["history"][number];
export type AccountCase = ReviewCase["account_history"][number];
export type RejectionReason = z.infer<typeof rejectionReasonAnswer>;

export const VIEWS = [
  "mine",
  "unclaimed",
  "overdue",
  "all",
] as const satisfies readonly (keyof Queue["counts"])[];
export type View = (typeof VIEWS)[number];

export const PATH = "/desk/v1/reviews";

export function caseKey(orderId: string) {
  return ["reviews", "case", orderId] as const;
}

export const QUEUE_KEY = ["reviews", "queue"] as const;

export function queueQuery(query: QueueQuery) {
  return queryOptions({
    queryKey: [...QUEUE_KEY, query],
    queryFn: ({ signal }) => request<Queue>("GET", withQuery(PATH, query), { signal }),
    placeholderData: keepPreviousData,
  });
}

export function caseQuery(orderId: string) {
  return queryOptions({
    queryKey: caseKey(orderId),
    queryFn: ({ signal }) => request<ReviewCase>("GET", `${PATH}/${orderId}`, { signal }),
    // Each look at sensitive values is recorded, so that what the stream keeps fresh is not fetched needlessly.
    staleTime: 30_000,
  });
}

/** A case that is not opened yet: without sensitive values, so that nobody is recorded to have seen them. */
export function aheadQuery(orderId: string) {
  return queryOptions({
    queryKey: ["reviews", "ahead", orderId] as const,
    queryFn: ({ signal }) =>
      request<ReviewCase>("GET", `${PATH}/${orderId}?masked=true`, { signal }),
    staleTime: 30_000,
  });
}

export function reasonsQuery() {
  return queryOptions({
    ...readOf<Pick<Page<RejectionReason>, "data">>(
      "rejection-reasons",
      "/desk/v1/rejection_reasons",
    ),
    staleTime: Infinity,
  });
}

/** Longer than a hint takes to come. */
const HINT_MS = 5_000;

/**
 * Whether a hint only repeats what the answer to the operator's own claim has just said. Fetching the case once more
 * would be recorded as another look at its sensitive values.
 */
export function isOwnClaim(client: QueryClient, queryKey: QueryKey, hint: unknown): boolean {
  const { order_id: id, attempt, state, claimed_by: by } = hint as StreamHints["review"];
  if (queryKey[1] !== "case") return false;
  const me = client.getQueryData<Operator | null>(SESSION_KEY)?.id;
  const shown = client.getQueryState<ReviewCase>(caseKey(id));
  if (shown?.data === undefined || me === undefined || by?.id !== me) return false;
  const isNew = Date.now() - shown.dataUpdatedAt < HINT_MS;
  const { data } = shown;
  return isNew && data.claimed_by?.id === me && data.attempt === attempt && data.state === state;
}

/** `toll_free` as a person reads it. */
export function wordsOf(code: string): string {
  return code.replaceAll("_", " ");
}

/** Requirements whose names are not the words of their slugs. */
const FIELDS: Readonly<Record<string, string>> = {
  entity_name: "account holder",
  auth_person_name: "authorized person",
  billing_phone_number: "billing number",
  new_billing_phone_number: "new billing number",
  birth_date: "date of birth",
  loa: "LOA",
  pin_passcode: "PIN",
};

/** A requirement in a list, where its full name would be too long. */
export function fieldWords(slug: string): string {
  return FIELDS[slug] ?? wordsOf(slug);
}

/** The name of a requirement, of which a case knows its own. */
export function nameOf(requirements: readonly Named[], slug: string): string {
  return requirements.find((one) => one.slug === slug)?.name ?? wordsOf(slug);
}

interface Named {
  readonly slug: string;
  readonly name: string;
}

/** The end of an id, because ids of the same minute begin alike. */
export function shortId(id: string): string {
  return `…${id.slice(-8)}`;
}

/** `customer_reference`, or else the end of the id. */
export function orderTitle(orderId: string, reference: string): string {
  return reference === "" ? `Order ${shortId(orderId)}` : reference;
}

/** `Ann Reed assigned it to Bob Miller`, `Ann Reed took it over from Bob Miller: why`. */
export function handoverText(
  { from, by, reason }: NonNullable<ReviewCase["handover"]>,
  holder: NonNullable<ReviewCase["claimed_by"]>,
): string {
  if (reason !== null) {
    return `${by.name} took it over${from === null ? "" : ` from ${from.name}`}: ${reason}`;
  }
  const isOthers = from !== null && from.id !== by.id;
  return `${by.name} assigned it to ${holder.name}${isOthers ? `; ${from.name} had claimed it` : ""}`;
}
