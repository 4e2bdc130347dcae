import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { DeskDeps } from "./desk-deps.ts";
import { deskRoutes, sandboxRoutes } from "./routes.ts";

/** Routes are plain data; until a step of one runs, nothing of what it is given is used. */
const nothing: object = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing });
const deps = nothing as DeskDeps;

/** The properties of POST bodies that may be left out and have no default then. */
const mayBeAbsent = [...deskRoutes(deps), ...sandboxRoutes(deps)].flatMap((route) => {
  const { method, path, body } = route;
  if (method !== "POST" || !(body instanceof z.ZodObject)) return [];
  return Object.entries(body.shape).flatMap(([name, schema]) => {
    const absent = z.safeParse(schema, undefined);
    return absent.success && absent.data === undefined
      ? [[`${path} ${name}`, schema] as const]
      : [];
  });
});

describe("null for a property that may be left out of a POST", () => {
  it("is asked of all of them", () => {
    expect(mayBeAbsent.length).toBeGreaterThan(20);
  });

  it.each(mayBeAbsent)("is as if it were left out: %s", (_name, schema) => {
    const given = z.safeParse(schema, null);
    expect([given.success, given.data ?? null]).toEqual([true, null]);
  });
});
