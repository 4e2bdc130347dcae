import { describe, expect, it } from "@jest/globals";
import { everyDeskRoute } from "../../test/support/desk/every-desk-route.ts";
import { mayBeAbsent } from "../../test/support/http/absent-properties.ts";

const absent = mayBeAbsent(everyDeskRoute());

describe("null for a property that may be left out of a POST", () => {
  it("is asked of all of them", () => {
    expect(absent.length).toBeGreaterThan(20);
  });

  it.each(absent)("is as if it were left out: %s", (_name, schema) => {
    const given = schema.safeParse(null);
    expect([given.success, given.data ?? null]).toEqual([true, null]);
  });
});
