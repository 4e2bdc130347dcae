import { call, dataOf } from "../../support/http/call.ts";
import type { OwnProduct } from "../../support/product/product.ts";
import type { Figure } from "./figure.ts";

const PAGE = 250;

export interface CatchUp {
  readonly key: string;
  /** The number of events to read. */
  readonly events: number;
  /** Whether the feed must end there. */
  readonly isWholeFeed: boolean;
}

/** Reads a feed from its beginning in one loop, like a client that catches up. */
export async function catchUp(product: OwnProduct, wanted: CatchUp): Promise<Figure> {
  const { key, events, isWholeFeed } = wanted;
  const startedAt = performance.now();
  let read = 0;
  let hasMore = true;
  for (let after = ""; hasMore && read < events;) {
    const url = `${product.apiUrl}/v2/porting/events?order=asc&limit=${PAGE}${after}`;
    const page = await call(url, { key });
    const data = dataOf(page);
    read += data.length;
    after = `&starting_after=${String(data.at(-1)?.["id"])}`;
    hasMore = page.body?.["has_more"] === true;
  }
  if (read !== events || hasMore === isWholeFeed) {
    throw new Error(
      `${read} of ${events} events were read, and the feed has ${hasMore ? "more" : "no more"}`,
    );
  }
  return {
    name: `catching up ${events.toLocaleString("en")} events in pages of ${PAGE}`,
    measured: (read * 1_000) / (performance.now() - startedAt),
    unit: "events/s",
    target: { kind: "reported" },
  };
}
