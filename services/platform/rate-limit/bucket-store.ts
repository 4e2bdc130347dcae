import { queryRows, type Queryable } from "../db/transaction.ts";

/** How fast a bucket fills, and how much it holds. */
export interface RateLimit {
  readonly perMinute: number;
  readonly burst: number;
}

export interface Lease {
  /** Tokens taken out of the bucket; 0 if it has less than one. */
  readonly granted: number;
  /** Tokens left in the bucket, including fractions. */
  readonly left: number;
}

export interface LeaseRequest extends RateLimit {
  /** Whole tokens. */
  readonly want: number;
}

/**
 * The bucket fills by the database's clock, which all processes share. Where several find no row at once, each takes out of
 * a full bucket, and the later ones find that the first has made it: they take theirs from what is left, down to a debt.
 */
const TAKE = `with filled as materialized (
    select least($3::float8, tokens
      + $2::float8 * greatest(0, extract(epoch from clock_timestamp() - filled_at)::float8)) as tokens
    from messaging.rate_buckets where owner = $1 for update
  ), taken as materialized (
    select one.tokens, least($4::float8, greatest(0, floor(one.tokens))) as granted
    from (select coalesce((select tokens from filled), $3::float8) as tokens) one
  ), written as (
    insert into messaging.rate_buckets as b (owner, tokens, filled_at)
    select $1, tokens - granted, clock_timestamp() from taken
    on conflict (owner) do update set filled_at = excluded.filled_at,
      tokens = case when exists (select from filled) then excluded.tokens
        else b.tokens - (select granted from taken) end
  )
  select granted, tokens - granted as left from taken`;

/** Takes up to `want` tokens out of an owner's bucket. */
export async function takeTokens(
  db: Queryable,
  owner: string,
  { perMinute, burst, want }: LeaseRequest,
): Promise<Lease> {
  const [row] = await queryRows<Lease & Record<string, unknown>>(db, {
    name: "rate-take",
    text: TAKE,
    values: [owner, perMinute / 60, burst, want],
  });
  return { granted: row?.granted ?? 0, left: row?.left ?? 0 };
}

/** Deletes up to `limit` buckets unused since `since`, which would be full anyway; returns how many. */
export async function forgetBuckets(db: Queryable, since: Date, limit: number): Promise<number> {
  const rows = await queryRows(db, {
    text: `delete from messaging.rate_buckets where owner in (
        select owner from messaging.rate_buckets where filled_at < $1 limit $2)
        and filled_at < $1 returning owner`,
    values: [since, limit],
  });
  return rows.length;
}
