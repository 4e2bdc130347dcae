import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { describedRoutes } from "./openapi/customer-document.ts";

/** Null would make a link to the whole account. */
const REFUSED = "/v2/portal_sessions order_id";

/** The properties of POST bodies that may be left out and have no default then. */
const mayBeAbsent = describedRoutes().flatMap(({ method, path, body }) => {
  if (method !== "POST" || !(body instanceof z.ZodObject)) return [];
  return Object.entries(body.shape).flatMap(([name, schema]) => {
    const absent = z.safeParse(schema, undefined);
    return absent.success && absent.data === undefined
      ? [[`${path} ${name}`, schema] as const]
      : [];
  });
});

const optional = mayBeAbsent.filter(([name]) => name !== REFUSED);

describe("null for a property that may be left out of a POST", () => {
  it("is asked of all of them", () => {
    expect(optional.length).toBeGreaterThan(10);
  });

  it.each(optional)("is as if it were left out: %s", (_name, schema) => {
    const given = z.safeParse(schema, null);
    expect([given.success, given.data ?? null]).toEqual([true, null]);
  });

  it("is refused where it would widen what is given away", () => {
    const [one] = mayBeAbsent.filter(([name]) => name === REFUSED);
    expect(one?.[1] && z.safeParse(one[1], null).success).toBe(false);
  });
});
