/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, textOf } from "../../support/http/call.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

const COPIES = ["api", "api#2", "api#3"] as const;
const ROUNDS = 20;
const CALLERS = 4;

let product: OwnProduct;

beforeAll(async () => {
  product = await startOwnProduct({ services: COPIES });
});

const urls = (): string[] => COPIES.map((name) => product.supervisor.service(name).url());

/** Uses a key without pause until stopped; returns the statuses of requests that started after `revoked` was set. */
async function useKey(url: string, key: string, state: { revoked: boolean; over: boolean }) {
  const late: number[] = [];
  while (!state.over) {
    const begunAfter = state.revoked;
    const { status } = await call(`${url}/v2/api_keys?limit=1`, { key });
    if (begunAfter) late.push(status);
  }
  return late;
}

describe("revoking a key", () => {
  it("takes effect at once in three API processes, for every request that starts after the answer", async () => {
    const [front = ""] = urls();
    const late: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const issued = await call(`${front}/v2/api_keys`, {
        method: "POST",
        key: product.apiKey,
        body: {},
      });
      const key = textOf(issued, "key");
      const state = { revoked: false, over: false };
      const users = urls().flatMap((url) =>
        Array.from({ length: CALLERS }, () => useKey(url, key, state)),
      );
      const target = urls()[round % COPIES.length] ?? front;
      const path = `${target}/v2/api_keys/${textOf(issued, "id")}`;
      expect((await call(path, { method: "DELETE", key: product.apiKey })).status).toBe(204);
      state.revoked = true;
      await Promise.all(urls().map((url) => call(`${url}/v2/api_keys?limit=1`, { key })));
      state.over = true;
      late.push(...(await Promise.all(users)).flat());
    }
    expect(late.length).toBeGreaterThan(ROUNDS);
    expect(late.filter((status) => status !== 401)).toEqual([]);
  });

  it("leaves the last key active when two processes revoke at the same time", async () => {
    const [one = "", two = ""] = urls();
    const other = await call(`${one}/v2/api_keys`, {
      method: "POST",
      key: product.apiKey,
      body: {},
    });
    const listed = await call(`${one}/v2/api_keys`, { key: product.apiKey });
    const keys = listed.body?.["data"] as { id: string; revoked_at: string | null }[];
    const active = keys.filter((key) => key.revoked_at === null);
    expect(active).toHaveLength(2);
    const key = textOf(other, "key");
    const [first, second] = await Promise.all(
      active.map(({ id }, n) =>
        call(`${n === 0 ? one : two}/v2/api_keys/${id}`, {
          method: "DELETE",
          key: n === 0 ? key : product.apiKey,
        }),
      ),
    );
    const statuses = [first?.status, second?.status];
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    // The loser was refused, or its own key had just been revoked.
    expect(statuses.some((status) => status === 409 || status === 401)).toBe(true);
  });
});
