import { fillReviewQueue, OPEN_CASES_50_000 } from "../../../support/desk/fill-review-queue.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { quantile, type Bench } from "../bench.ts";
import type { Figure } from "../figure.ts";
import { openRequests, type SentRequest } from "../http-requests.ts";

const REQUESTS = 40;
const MOST_MS = 100;

interface Way {
  readonly name: string;
  /** `n` is another one in each request, so that counts are not cached. */
  readonly request: (n: number) => SentRequest;
}

const far = (n: number): string => new Date(Date.UTC(2099, 0, 1) + n).toISOString();
const queue = (name: string, query: string): Way => ({
  name,
  request: (n) => ({ path: `/desk/v1/reviews?${query}&due_before=${far(n)}` }),
});

const WAYS: readonly Way[] = [
  { name: "first page, counted in the last 2 s", request: () => ({ path: "/desk/v1/reviews" }) },
  queue("first page", ""),
  queue("page of 250", "limit=250"),
  queue("overdue", "overdue=true"),
  queue("mine", "claimed_by=me"),
  queue("unclaimed", "claimed_by=none"),
  queue("by country", "country_code=CA"),
  queue("by provider without a match", "provider=nobody"),
  queue("by last four digits", "q=4567"),
  queue("by number", "q=%2B12010012340"),
  queue("by number without a match", "q=%2B19999999999"),
  queue("by reference", "q=reference%20299994"),
  queue("by account", "q=number%203"),
  queue("without a match", "q=nothing%20like%20it"),
  {
    name: "next case",
    request: () => ({ method: "POST", path: "/desk/v1/reviews/next", body: {} }),
  },
  {
    name: "next case without a match",
    request: () => ({
      method: "POST",
      path: "/desk/v1/reviews/next",
      body: { provider: "nobody" },
    }),
  },
];

/** Answers of 404 count too: there is no case. */
async function timesOf(product: OwnProduct, { request }: Way): Promise<number[]> {
  const requests = openRequests(product.deskUrl, 1, product.deskToken);
  const times: number[] = [];
  try {
    for (let n = 0; n < REQUESTS; n += 1) {
      const startedAt = performance.now();
      await requests.send(request(n)).catch(() => null);
      times.push(performance.now() - startedAt);
    }
  } finally {
    await requests.close();
  }
  return times;
}

/** The desk's queue of 50,000 open cases among 300,000 orders. */
export const reviewQueue: Bench = {
  name: "review-queue",
  area: "Desk",
  once: true,
  run: async (context) => {
    const product = await startProductAt(await context.newPlace(), {
      services: ["desk"],
    });
    try {
      await fillReviewQueue(product.databaseUrl, OPEN_CASES_50_000);
      const figures: Figure[] = [];
      for (const way of WAYS) {
        const times = await timesOf(product, way);
        const bound = { kind: "at_most", accept: MOST_MS } as const;
        for (const [share, text] of [
          [0.5, "p50"],
          [0.9, "p90"],
        ] as const) {
          const measured = quantile(times, share);
          figures.push({
            name: `queue, ${way.name}, ${text}`,
            measured,
            unit: "ms",
            target: bound,
          });
        }
      }
      return figures;
    } finally {
      await product.stop();
    }
  },
};
