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

/** The bucket fills by the database's clock, which all processes share. */
const TAKE = `with filled as (
    select least($3::float8, tokens
      + $2::float8 * greatest(0, extract(epoch from clock_timestamp() - filled_at)::float8)) as tokens
    from messaging.rate_buckets where owner = $1 for update
  ), taken as (
    select one.tokens, least($4::float8, floor(one.tokens)) as granted
    from (select coalesce((select tokens from filled), $3::float8) as tokens) one
  ), written as (
    insert into messaging.rate_buckets (owner, tokens, filled_at)
    select $1, tokens - granted, clock_timestamp() from taken
    on conflict (owner) do update set tokens = excluded.tokens, filled_at = excluded.filled_at
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
