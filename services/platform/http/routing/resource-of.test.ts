import { expect, it } from "@jest/globals";
import { resourceOf } from "./resource-of.ts";

it.each([
  ["/v2/porting_orders", "porting_orders"],
  ["/v2/porting_orders/:id/comments", "porting_orders"],
  ["/v2/porting/events/stream", "porting"],
  ["/desk/v1/reviews/:id", "reviews"],
  ["/openapi.json", "openapi.json"],
])("the requests of %s take connections as %s", (path, kind) => {
  expect(resourceOf(path)).toBe(kind);
});
