import { describe, expect, it } from "@jest/globals";
import { z } from "zod";

import { ok } from "./reply.ts";
import { createRouteTable } from "./route-table.ts";
import { routesFor, type Method } from "./route.ts";

const define = routesFor<string, "public">("public");
const plain = (method: Method, path: string) =>
  define[method](path, "A test", {
    answers: {},
    handle: () => ok(path),
  });

describe("routesFor", () => {
  it.each([
    [z.object({}), "body must be"],
    [z.strictObject({ a: z.object({}) }), "body.a must be"],
    [z.strictObject({ a: z.array(z.object({})).optional() }), "body.a[] must be"],
    [z.union([z.strictObject({}), z.object({})]), "body must be"],
    [z.strictObject({ a: z.object({}).nullable().default(null) }), "body.a must be"],
  ])("refuses a body schema that would accept unknown properties", (body, message) => {
    const options = { answers: {}, body, handle: () => ok({}) };
    expect(() => define.POST("/x", "A test", options)).toThrow(message);
  });

  it("keeps the schemas, so that the API can be described", () => {
    const body = z.strictObject({ a: z.looseObject({}) });
    const route = routesFor<string, "account">("account").POST("/x", "A test", {
      answers: {},
      body,
      handle: () => ok({}),
    });
    expect(route).toMatchObject({ method: "POST", path: "/x", access: "account", noStore: false });
    expect(route.body).toBe(body);
  });
});

describe("createRouteTable", () => {
  const table = createRouteTable([
    plain("GET", "/a/:id"),
    plain("GET", "/a/fixed"),
    plain("POST", "/a/:id"),
    plain("GET", "/a/:id/b/:slug"),
  ]);

  it.each([
    ["GET", "/a/1", { path: "/a/:id", params: { id: "1" } }],
    ["HEAD", "/a/1", { path: "/a/:id", params: { id: "1" } }],
    ["GET", "/a/fixed", { path: "/a/fixed", params: {} }],
    ["GET", "/a/%2B1/b/%zz", { path: "/a/:id/b/:slug", params: { id: "+1", slug: null } }],
  ])("%s %s", (method, asked, { path, params }) => {
    expect(table(method, asked)).toMatchObject({ kind: "route", row: { route: { path } }, params });
  });

  it("returns the methods that a path has", () => {
    expect(table("PUT", "/a/1")).toEqual({
      kind: "other_method",
      allow: "GET, HEAD, POST",
      isPublic: true,
    });
    expect(table("GET", "/A/1")).toEqual({ kind: "none" });
    expect(table("GET", "/a/1/")).toEqual({ kind: "none" });
  });

  it("refuses two routes of one method and path", () => {
    const twice = [plain("GET", "/a"), plain("GET", "/a")];
    expect(() => createRouteTable(twice)).toThrow("GET /a is defined twice");
  });
});
