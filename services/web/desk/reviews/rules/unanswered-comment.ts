import type { ReviewCase } from "../types.ts";

/** When the customer wrote the first comment that the desk has not answered by one; null if there is none. */
export function unansweredAt({ comments }: Pick<ReviewCase, "comments">): string | null {
  const answered = comments.findLastIndex(({ author_type: by }) => by === "ops");
  const waiting = comments.slice(answered + 1).find(({ author_type: by }) => by === "customer");
  return waiting?.created_at ?? null;
}
