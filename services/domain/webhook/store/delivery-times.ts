/** So many deliveries of an account share a millisecond: their places take the 12 bits of an id behind its time. */
const OF_A_MILLISECOND = 4_096;

/**
 * Expressions of a `with` list: `timed` has the rows of `made` (account_id), which are about to become deliveries, with
 * their `delivery_id` and `created_at`. An account's ids are in the order in which its deliveries become visible, and
 * within a statement in the given one: a list that is followed by its cursor misses none. What makes others for the
 * account waits for the end of this transaction: call it late in one.
 */
export function timed(made: string, order: string): string {
  return `placed as materialized (
    select m.*, row_number() over (partition by m.account_id order by ${order}) - 1 as place from ${made} m
  ), times as materialized (
    select t.account_id, t.at as first_at from (
      select array_agg(c.account_id) as accounts, array_agg(c.made) as counts
      from (select p.account_id, count(*) as made from placed p group by p.account_id) c
    ) a cross join lateral webhooks.next_delivery_times(a.accounts, a.counts) t
  ), timed as materialized (
    select p.*, a.created_at, ${idAt("a.created_at", `p.place % ${OF_A_MILLISECOND}`)} as delivery_id
    from placed p join times t using (account_id) cross join lateral (
      select t.first_at + (p.place / ${OF_A_MILLISECOND}) * interval '1 millisecond' as created_at
    ) a
  )`;
}

/** A version 7 UUID of the time, with the place in the bits that follow it. */
function idAt(time: string, place: string): string {
  const version = 0x7000;
  return `encode(overlay(uuid_send(messaging.uuid_at(${time}))
      placing substring(int4send((${version} + ${place})::integer) from 3) from 7 for 2), 'hex')::uuid`;
}
