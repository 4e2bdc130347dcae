/**
 * The order, or the port-out, that a dead letter `d` is about: the order that its value names, else the id that is its
 * key, in any case. Two indexes have this expression.
 */
export const ORDER_OF_LETTER = `coalesce(d.order_id, case when length(d.key) = 36
  and encode(d.key, 'escape') ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then encode(d.key, 'escape')::uuid end)`;
