import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { RunningResponses } from "./running-responses.ts";

function newResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

describe("the responses in progress", () => {
  it("are those that were added and not removed, whatever place they have", () => {
    const running = new RunningResponses();
    const [first, second, third] = [newResponse(), newResponse(), newResponse()];
    const index = running.add(first);
    running.add(second);
    running.remove(index);
    expect(running.list()).toEqual([second]);
    expect(running.add(third)).toBe(index);
    expect(new Set(running.list())).toEqual(new Set([second, third]));
  });
});
