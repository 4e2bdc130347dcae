import { describe, expect, it } from "@jest/globals";
import { describedRoutes } from "./openapi/customer-document.ts";

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
