import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { DATE_KINDS, WAIT_KINDS } from "../../domain/deadline/deadline.ts";
import { duePortOuts } from "./deadline-kinds.ts";

describe("the deadlines that the contract names", () => {
  it("are those that are taken (docs/contract/messages.md, Rules that hold for every consumer and producer)", () => {
    const contract = readFileSync(join(process.cwd(), "docs/contract/messages.md"), "utf8");
    const [, named = ""] =
      /orders\.deadlines.*one handler per kind \(([^)]*)\)/.exec(contract) ?? [];
    const taken = [
      ...DATE_KINDS,
      ...WAIT_KINDS,
      ...duePortOuts(new Date()).map(({ kind }) => kind),
    ];
    expect(named.split(", ").sort()).toEqual(taken.map((kind) => kind.replace("_", " ")).sort());
  });
});

it("a port-out is due at the end of its time to decide, not before", () => {
  const now = new Date("2026-11-02T09:00:00.000Z");
  expect(duePortOuts(now)).toEqual([{ kind: "port_out", until: now }]);
});
