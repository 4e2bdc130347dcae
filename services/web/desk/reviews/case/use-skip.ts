import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { Problem } from "../../../ui/http/problem.ts";
import { request, withQuery } from "../../../ui/http/request.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { caseKey, PATH } from "../queries.ts";
import { filtersOf, queryOf } from "../queue/filters.ts";
import { casePath } from "../queue/use-open-case.ts";
import type { Queue, ReviewCase } from "../types.ts";
import { useIsShown } from "../../../ui/use-is-shown.ts";

/** Cases that were skipped since the page was loaded; they come back after all others. */
const skipped = new Set<string>();

interface Skipping {
  /** Whether the case is claimed by who skips it. */
  readonly isMine: boolean;
  /** The queue's filters. */
  readonly search: URLSearchParams;
}

/** Goes to another free case without a decision, and releases this one. */
export function useSkip({ order_id: id }: ReviewCase, { isMine, search }: Skipping) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toasts = useToasts();
  const [isBusy, setIsBusy] = useState(false);
  const isShown = useIsShown();
  const claimNext = async (): Promise<void> => {
    const query = queryOf({ ...filtersOf(search), view: "unclaimed", after: "" });
    // Not by the queue's query, which asks again for seconds while there is no connection.
    const { data } = await request<Queue>("GET", withQuery(PATH, query));
    if (!isShown()) return;
    skipped.add(id);
    const others = data.map(({ order_id }) => order_id).filter((other) => other !== id);
    const fresh = others.filter((other) => !skipped.has(other));
    if (fresh.length === 0) skipped.clear();
    const next = await claimFirst(fresh.length === 0 ? others : fresh);
    if (next === null) {
      toasts.done("No other free case is left");
      return;
    }
    if (!isShown()) {
      await request("POST", `${PATH}/${next.order_id}/release`);
      return;
    }
    client.setQueryData(caseKey(next.order_id), next);
    navigate(casePath(next.order_id, search));
    if (isMine) await request("POST", `${PATH}/${id}/release`);
  };
  const skip = (): void => {
    if (isBusy) return;
    setIsBusy(true);
    claimNext()
      .catch((error: unknown) => toasts.failed(error))
      .finally(() => setIsBusy(false));
  };
  return { skip, isBusy };
}

/** Claims the first of the cases that nobody else claims in the meantime. */
async function claimFirst(ids: readonly string[]): Promise<ReviewCase | null> {
  for (const id of ids) {
    try {
      const idempotencyKey = crypto.randomUUID();
      return await request<ReviewCase>("POST", `${PATH}/${id}/claim`, { body: {}, idempotencyKey });
    } catch (error) {
      if (!(error instanceof Problem && error.status === 409)) throw error;
    }
  }
  return null;
}
