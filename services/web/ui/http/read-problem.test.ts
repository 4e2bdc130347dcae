import { describe, expect, it } from "@jest/globals";
import { unreachable } from "./problem.ts";

describe("a request that got no answer", () => {
  it("promises nothing about what a command did, and speaks of no change where it read", () => {
    expect(unreachable("command", null).message).toMatch(/not known whether this was done/);
    expect(unreachable("read", null).message).toMatch(/may be out of date or missing/);
    for (const kind of ["read", "command"] as const) {
      expect(unreachable(kind, null).message).not.toMatch(/[Nn]othing was changed/);
    }
  });
});
