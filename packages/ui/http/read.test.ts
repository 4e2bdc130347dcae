import { describe, expect, it } from "@jest/globals";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { until } from "../../../infra/start/supervisor/until.ts";
import { fetchAgain } from "./read.ts";

const KEY = ["reviews", "queue"];

/** A list on the page, whose requests are answered by hand, with how many were sent before. */
function shownList() {
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: "always" } } });
  const requests: { readonly answer: () => void; readonly signal: AbortSignal }[] = [];
  const observer = new QueryObserver<number>(client, {
    queryKey: KEY,
    queryFn: ({ signal }) =>
      new Promise((resolve) => {
        const number = requests.length;
        requests.push({ signal, answer: () => resolve(number) });
      }),
  });
  const close = observer.subscribe(() => undefined);
  const answer = (number: number): void => requests[number]?.answer();
  return { client, requests, answer, close, shown: () => observer.getCurrentResult().data };
}

describe("fetching again what is on the page", () => {
  it("lets the request that is under way land, however many hints come, and sends one more", async () => {
    const { client, requests, answer, close, shown } = shownList();
    const hints = [1, 2, 3].map(() => fetchAgain(client, { queryKey: ["reviews"] }));
    expect(requests).toHaveLength(1);
    expect(requests[0]?.signal.aborted).toBe(false);
    answer(0);
    await until(() => requests.length === 2, { timeoutMs: 5_000, what: "the second request" });
    expect(shown()).toBe(0);
    answer(1);
    await Promise.all(hints);
    expect(shown()).toBe(1);
    expect(requests).toHaveLength(2);
    close();
  });

  it("sends one request at once for what lies there", async () => {
    const { client, requests, answer, close, shown } = shownList();
    answer(0);
    await until(() => shown() === 0, { timeoutMs: 5_000, what: "the first answer" });
    const hint = fetchAgain(client, { queryKey: KEY });
    expect(requests).toHaveLength(2);
    answer(1);
    await hint;
    expect(shown()).toBe(1);
    close();
  });
});
