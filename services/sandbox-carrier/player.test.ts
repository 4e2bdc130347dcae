import { describe, expect, it } from "@jest/globals";
import { Player, type PlayedRequest } from "./player.ts";
import type { Step, Update } from "./script.ts";

const ORDER_ID = "01a19b7c-a687-7195-84b0-000000000001";
const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

function update(update_id: string): Update {
  const order = { provider: "sandbox", order_id: ORDER_ID, request_version: 1 };
  return { ...order, update_id, occurred_at: 0, raw_status: "RECEIVED" };
}

/** The steps that a player publishes, up to the given number, and the request of each. */
async function playedOf(
  request: PlayedRequest,
  script: readonly Step[],
): Promise<(readonly [string | undefined, PlayedRequest])[]> {
  const played: (readonly [string | undefined, PlayedRequest])[] = [];
  await new Promise<void>((resolve, reject) => {
    const player = new Player({
      stepMs: 0,
      publish: ([first], asked) => {
        played.push([first?.update_id, asked]);
        if (played.length === script.length) resolve();
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
});
