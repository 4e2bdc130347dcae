import { describe, expect, it } from "@jest/globals";
import { describedRoutes } from "./openapi/customer-document.ts";
import { mayBeAbsent } from "../../test/support/http/absent-properties.ts";

/** Null would make a link to the whole account. */
const REFUSED = "/v2/portal_sessions order_id";

const absent = mayBeAbsent(describedRoutes());
const optional = absent.filter(([name]) => name !== REFUSED);

describe("null for a property that may be left out of a POST", () => {
  it("is asked of all of them", () => {
    expect(optional.length).toBeGreaterThan(10);
  });

  it.each(optional)("is as if it were left out: %s", (_name, schema) => {
    const given = schema.safeParse(null);
    expect([given.success, given.data ?? null]).toEqual([true, null]);
  });

  it("is refused where it would widen what is given away", () => {
    const [one] = absent.filter(([name]) => name === REFUSED);
    expect(one?.[1].safeParse(null).success).toBe(false);
  });
});
