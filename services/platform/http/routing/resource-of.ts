/** A route's kind of resource: `porting_orders` of `/v2/porting_orders/:id/comments`, `reviews` of `/desk/v1/reviews`. */
export function resourceOf(path: string): string {
  const [, api = "", ...segments] = path.split("/");
  return (api === "desk" ? segments[1] : segments[0]) ?? api;
}
