import { describe, expect, it } from "@jest/globals";
import { readCarriers } from "../../carrier/read-carriers.ts";
import { forwardingHandler, isAskedToForward } from "./forwarding.ts";

const { providers } = readCarriers("data/carriers");

describe("the forwarding of a number", () => {
  it.each([
    ["sandbox", "carrier", true],
    ["gb-gateway", "platform", false],
    ["us-lsr", "platform", false],
    ["platform", "platform", false],
    ["manual", "platform", true],
    // One without a file gets every request.
    ["unknown", "carrier", true],
  ] as const)("at %s is handled by the %s", (provider, handler, isAsked) => {
    expect(forwardingHandler(providers, provider)).toBe(handler);
    expect(isAskedToForward(providers, provider)).toBe(isAsked);
  });
});
