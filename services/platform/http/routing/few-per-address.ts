import { LRUCache } from "lru-cache";
import { AppError } from "../../errors.ts";
import { networkOf } from "./connection-limits.ts";

const MINUTE_MS = 60_000;
/** Of whom requests are counted at the same time; the longest unseen makes room. */
const MOST_ADDRESSES = 10_000;

/**
 * Counts requests that need no key and are dear to answer, by address, in this process.
 * @throws `rate_limited` from the returned function, above so many within a minute of an address's first
 */
export function fewPerAddress(perMinute: number, nowMs?: () => number): (address: string) => void {
  const counts = new LRUCache<string, number>({
    max: MOST_ADDRESSES,
    ttl: MINUTE_MS,
    noUpdateTTL: true,
    ttlResolution: 0,
    ...(nowMs === undefined ? {} : { perf: { now: nowMs } }),
  });
  return (address) => {
    const network = networkOf(address);
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    if (count <= perMinute) return;
    const detail = `An address may ask for this ${perMinute} times a minute. Try again in 60 s.`;
    throw new AppError("rate_limited", detail, { headers: { "Retry-After": "60" } });
  };
}
