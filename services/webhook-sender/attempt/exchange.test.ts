import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { Dispatcher } from "undici";
import { startExchange } from "./exchange.ts";

const DEADLINE_MS = 30;

const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;

/** An exchange whose receiver answers when it is asked to. */
function openExchange() {
  let handler: Dispatcher.DispatchHandler = {};
  const dispatch = (_request: unknown, given: Dispatcher.DispatchHandler): boolean => {
    handler = given;
    return true;
  };
  const client = { dispatch } as unknown as Dispatcher;
  const request = {
    owner: "an account",
    url: "https://example.com/hook",
    headers: {},
    body: Buffer.from("{}"),
  };
  const { answer } = startExchange(client, request, DEADLINE_MS);
  handler.onRequestStart?.(controller, {});
  return {
    answer,
    respond: () => {
      handler.onResponseStart?.(controller, 200, {}, "OK");
      handler.onResponseEnd?.(controller, {});
    },
  };
}

/** Nothing else of the process runs in the meantime. */
function stall(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("an exchange with a receiver", () => {
  it("is a timeout where no answer comes", async () => {
    const { answer } = openExchange();
    expect(await answer).toMatchObject({ status: null, failure: "timeout_response" });
  });

  it("counts an answer that came while the sender itself did not run", async () => {
    const { answer, respond } = openExchange();
    stall(4 * DEADLINE_MS);
    await nextTurn();
    respond();
    expect(await answer).toMatchObject({ status: 200, failure: null });
  });

  it("is a timeout after a stall too where no answer comes", async () => {
    const { answer } = openExchange();
    stall(4 * DEADLINE_MS);
    expect(await answer).toMatchObject({ status: null, failure: "timeout_response" });
  });
});
