import { describe, expect, it } from "@jest/globals";
import { mayBeAbsent } from "../../test/support/http/absent-properties.ts";
import { describedRoutes } from "./routes.ts";

const ofOneThing = describedRoutes().filter(({ path }) => path.includes("/:"));

describe("the customers' routes with a parameter in their path", () => {
  it("are the routes of one order, number, key, event …", () => {
    expect(ofOneThing.length).toBeGreaterThan(30);
  });

  // 404 precedes 406, 415, 413, 400 and 422 (docs/contract/customer-api.md, Conventions).
  it.each(ofOneThing.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "can say that it is missing before they refuse the request's content: %s",
    (_name, route) => {
      expect("find" in route || "resolve" in route).toBe(true);
    },
  );
});

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
