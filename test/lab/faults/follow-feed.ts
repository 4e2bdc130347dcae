import { z } from "zod";
import { dataOf } from "../../support/http/call.ts";
import { ask, GIVE_UP_MS } from "./ask.ts";
import type { SeenEvent } from "./history.ts";

const row = z.object({
  id: z.string(),
  type: z.string(),
  order_id: z.string().nullable(),
  payload: z.object({
    previous_status: z.string().optional(),
    new_status: z.string().optional(),
    document_id: z.string().optional(),
    comment: z.object({ id: z.string() }).optional(),
  }),
});

const PAGE = 250;
const IDLE_MS = 50;

export interface FeedReader {
  readonly apiUrl: string;
  readonly key: string;
}

/** The page after a cursor; null where the request failed. */
async function nextPage(
  { apiUrl, key }: FeedReader,
  cursor: string | null,
): Promise<SeenEvent[] | null> {
  const after = cursor === null ? "" : `&starting_after=${cursor}`;
  const url = `${apiUrl}/v2/porting/events?order=asc&limit=${PAGE}${after}`;
  const answer = await ask(url, { key });
  if (answer?.status !== 200) return null;
  return dataOf(answer).map((one) => {
    const { id, type, order_id: orderId, payload } = row.parse(one);
    const previousStatus = payload.previous_status ?? null;
    const newStatus = payload.new_status ?? null;
    const documentId = payload.document_id ?? null;
    const commentId = payload.comment?.id ?? null;
    return { id, type, orderId, previousStatus, newStatus, documentId, commentId };
  });
}

/** Pages forward from the start until `isOver`, and then to the end of the feed. */
export async function followFeed(reader: FeedReader, isOver: () => boolean): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  let answeredAt = performance.now();
  for (;;) {
    const over = isOver();
    const page = await nextPage(reader, seen.at(-1)?.id ?? null);
    seen.push(...(page ?? []));
    if (page !== null) answeredAt = performance.now();
    else if (performance.now() - answeredAt > GIVE_UP_MS) {
      throw new Error(`the feed was not answered for ${GIVE_UP_MS / 1_000} s`);
    }
    if (over && page?.length === 0) return seen;
    if (page === null || page.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    }
  }
}
