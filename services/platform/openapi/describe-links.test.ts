import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { noContent } from "../http/routing/reply.ts";
import { routesFor, type GoodAnswer, type Method, type Route } from "../http/routing/route.ts";
import { linksAmong } from "./describe-links.ts";

const part = z.object({ slug: z.string() });
const order = z.object({ id: z.string(), batch_id: z.string(), parts: z.array(part).min(1) });
const retry = z.object({
  id: z.string(),
  order_id: z.string(),
  batch_id: z.string().nullable(),
});

const define = routesFor<object, "account">("account");

function route(method: Method, path: string, answer: GoodAnswer) {
  return define[method](path, path, {
    answers: answer === null ? { 204: null } : { 200: answer },
    handle: () => noContent(),
  });
}

function listRoute(path: string, item: z.ZodType, filters: readonly string[]) {
  return define.GET(path, path, {
    answers: { 200: z.object({ data: z.array(item) }) },
    query: z.strictObject(Object.fromEntries(filters.map((name) => [name, z.string().optional()]))),
    handle: () => noContent(),
  });
}

const create = route("POST", "/v1/big_orders", z.object({ data: z.array(order).min(1) }));
const list = listRoute("/v1/big_orders", order, ["batch_id"]);
const read = route("GET", "/v1/big_orders/:id", order);
const remove = route("DELETE", "/v1/big_orders/:id", null);
const change = route("PATCH", "/v1/big_orders/:id/parts/:slug", part);
const again = route("POST", "/v1/big_orders/:id/retry", retry);
const readRetry = route("GET", "/v1/retries/:id", retry);
const listRetries = listRoute("/v1/retries", retry, ["big_order_id"]);
const linksOf = linksAmong([create, list, read, remove, change, again, readRetry, listRetries]);

function links(from: Route<object>): Record<string, unknown> {
  const answers = linksOf(from, from.answers[200] ?? null);
  return Object.fromEntries(Object.entries(answers).map(([id, link]) => [id, link["parameters"]]));
}

describe("links among routes", () => {
  it("lead from a created resource to every operation that takes its id, its fields or its parts", () => {
    const id = "$response.body#/data/0/id";
    expect(links(create)).toEqual({
      listBigOrders: { "query.batch_id": "$response.body#/data/0/batch_id" },
      getBigOrder: { "path.id": id },
      deleteBigOrder: { "path.id": id },
      updateBigOrderPart: {
        "path.id": id,
        "path.slug": "$response.body#/data/0/parts/0/slug",
      },
      retryBigOrder: { "path.id": id },
      listRetries: { "query.big_order_id": id },
    });
  });

  it("recognize a response by the schema of its collection", () => {
    expect(links(again)).toMatchObject({
      getRetry: { "path.id": "$response.body#/id" },
      getBigOrder: { "path.id": "$response.body#/order_id" },
    });
  });

  it("lead from a possibly empty list only to its items, and never from null", () => {
    expect(Object.keys(links(listRetries))).toEqual(["getRetry"]);
    expect(Object.keys(links(readRetry))).not.toContain("listBigOrders");
  });

  it("take the remaining path parameters from the request", () => {
    expect(links(change)).toEqual({
      updateBigOrderPart: {
        "path.id": "$request.path.id",
        "path.slug": "$response.body#/slug",
      },
    });
  });

  it("do not start at responses without a body", () => {
    expect(links(remove)).toEqual({});
  });
});
