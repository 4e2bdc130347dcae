import { describe, expect, it } from "@jest/globals";
import { routesFor } from "./route.ts";
import { createRouteTable } from "./route-table.ts";

const { GET, POST, DELETE } = routesFor<string, "account">("account");
const handle = () => ({ status: 204 });
const route = { answers: { 204: null }, handle } as const;

const find = createRouteTable([
  GET("/things/:id", "Read a thing", route),
  DELETE("/things/:thing_id", "Delete a thing", route),
  POST("/things/discard", "Discard things", route),
]);

describe("the route table", () => {
  it("finds the route of a fixed segment before that of a parameter", () => {
    expect(find("POST", "/things/discard")).toMatchObject({ kind: "route", params: {} });
    expect(find("GET", "/things/7")).toMatchObject({ kind: "route", params: { id: "7" } });
  });

  it("allows at a fixed segment only the methods of that segment", () => {
    const refused = { kind: "other_method", allow: "POST", isPublic: false };
    expect(find("GET", "/things/discard")).toEqual(refused);
    expect(find("OPTIONS", "/things/discard")).toEqual(refused);
  });

  it("allows the methods of all routes of a path, whatever its parameters are called", () => {
    expect(find("PUT", "/things/7")).toEqual({
      kind: "other_method",
      allow: "GET, HEAD, DELETE",
      isPublic: false,
    });
  });

  it("has no route for another path", () => {
    expect(find("GET", "/others")).toEqual({ kind: "none" });
  });
});
