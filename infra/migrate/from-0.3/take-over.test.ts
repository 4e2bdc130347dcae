import { describe, expect, it } from "@jest/globals";
import { AppError } from "../../../services/platform/errors.ts";
import { BASE } from "../migrations/all-migrations.ts";
import { isOf03, STEPS } from "./take-over.ts";

const RELEASED = ["Messaging1700000000001", "UnsentMessagesFound1700000000097"];

describe("a database is taken over", () => {
  it.each([
    ["of 0.3.0", RELEASED, true],
    ["of what came after it", [...RELEASED, ...STEPS.map(({ name }) => name)], true],
    ["without migrations", [], false],
    ["of this version", BASE.map((Migration) => new Migration().name), false],
  ])("%s: %#", (_, history, expected) => {
    expect(isOf03(history)).toBe(expected);
  });

  it("not where it is older: it says what to do", () => {
    const older = ["Messaging1700000000001", "LeanDeliveryIndexes1700000000095"];
    expect(() => isOf03(older)).toThrow(AppError);
    expect(() => isOf03(older)).toThrow(
      "This database is of a version before 0.3.0 (its last migration is LeanDeliveryIndexes1700000000095): upgrade it to 0.3.0, and then to this version.",
    );
  });
});
