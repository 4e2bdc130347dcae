import { describe, expect, it } from "@jest/globals";
import { Player, type PlayedRequest } from "./player.ts";
import type { Step, Update } from "./script.ts";

const ORDER_ID = "01a19b7c-a687-7195-84b0-000000000001";
const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

function update(update_id: string): Update {
  const order = { provider: "sandbox", order_id: ORDER_ID, request_version: 1 };
  return { ...order, update_id, occurred_at: 0, raw_status: "RECEIVED" };
}

/** The updates of a script as a player publishes them, and the request of each. */
async function playedOf(
  request: PlayedRequest,
  script: readonly Step[],
): Promise<(readonly [string, PlayedRequest])[]> {
  const played: (readonly [string, PlayedRequest])[] = [];
  await new Promise<void>((resolve, reject) => {
    const player = new Player({
      stepMs: 1,
      publish: (due, asked) => {
        for (const { update_id: id } of due) played.push([id, asked]);
        if (played.length === script.flat().length) resolve();
        return Promise.resolve();
      },
      onFault: reject,
    });
    player.begin();
    player.ask(ORDER_ID, request, script);
    // The same request again: what was asked first is played.
    player.ask(ORDER_ID, { ...request, traceparent: undefined }, []);
  });
  return played;
}

describe("the player", () => {
  it("publishes every step of a script with the request that asked for it, in its trace", async () => {
    const request = { requestId: "r-1", traceparent: TRACE };
    const played = await playedOf(request, [[update("a")], [update("b")]]);
    expect(played).toMatchObject([
      ["a", request],
      ["b", request],
    ]);
  });

  it("plays no more of an order's script where its next request comes, as a cancellation does", async () => {
    const published: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const player = new Player({
        stepMs: 1,
        publish: (due) => {
          published.push(...due.map(({ update_id: id }) => id));
          if (published.includes("y")) resolve();
          return Promise.resolve();
        },
        onFault: reject,
      });
      player.begin();
      const submit = { requestId: "r-1", traceparent: TRACE };
      const cancel = { requestId: "r-2", traceparent: TRACE };
      player.ask(ORDER_ID, submit, [[update("a")], [update("b")]]);
      player.ask(ORDER_ID, cancel, [[update("x")], [update("y")]]);
    });
    expect(published).toEqual(["x", "y"]);
  });

  it("publishes together what came due while a step was published, and again what could not be", async () => {
    const published: string[][] = [];
    const faults: unknown[] = [];
    await new Promise<void>((resolve) => {
      const player = new Player({
        stepMs: 1,
        publish: async (due) => {
          const isFirst = published.push(due.map(({ update_id: id }) => id)) === 1;
          // Longer than all steps that are left.
          const until = performance.now() + 5;
          while (performance.now() < until) await new Promise(setImmediate);
          if (isFirst) throw new Error("away");
          if (published.slice(1).flat().includes("c")) resolve();
        },
        onFault: (error) => faults.push(error),
      });
      player.begin();
      player.ask(ORDER_ID, { requestId: "r-1", traceparent: TRACE }, [
        [update("a")],
        [update("b")],
        [update("c")],
      ]);
    });
    expect(faults).toHaveLength(1);
    expect(published[1]?.slice(0, 1)).toEqual(["a"]);
    expect(published.slice(1).flat()).toEqual(["a", "b", "c"]);
    expect(published.length).toBeLessThanOrEqual(3);
  });
});
