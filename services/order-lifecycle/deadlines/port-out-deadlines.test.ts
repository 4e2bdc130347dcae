import { expect, it } from "@jest/globals";
import { duePortOuts } from "./port-out-deadlines.ts";

it("a port-out is due at the end of its time to decide, not before", () => {
  const now = new Date("2026-11-02T09:00:00.000Z");
  expect(duePortOuts(now)).toEqual([{ kind: "port_out", until: now }]);
});
