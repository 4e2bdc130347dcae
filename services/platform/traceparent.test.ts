import { describe, expect, it } from "@jest/globals";
import { nextTraceparent } from "./traceparent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("nextTraceparent", () => {
  it.each([`00-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01-what-comes-later`])(
    "continues the trace and its flags: %s",
    (cause) => {
      const next = nextTraceparent(cause);
      expect(next).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
      expect(next).not.toContain(SPAN);
    },
  );

  it.each([
    undefined,
    "",
    `ff-${TRACE}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
  ])("starts a trace without a valid cause: %s", (cause) => {
    expect(nextTraceparent(cause)).toMatch(/^00-(?!4bf9)[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
});
