import { describe, expect, it } from "@jest/globals";
import { newOrderBody } from "./body.ts";

describe("a requested date that is not a date", () => {
  it.each(["", "soon", "2026-12-01T10:00:00", "2027-02-29T10:00:00Z", "2026-12-01T10:00:60Z"])(
    "is reported as that fault alone: %j",
    (foc_requested) => {
      const { error } = newOrderBody.safeParse({ phone_numbers: ["+12125550100"], foc_requested });
      expect(error?.issues.map(({ code, path }) => [code, path.join("/")])).toEqual([
        ["invalid_format", "foc_requested"],
      ]);
    },
  );
});
