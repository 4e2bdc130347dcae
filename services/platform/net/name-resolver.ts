import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { errorCodeOf } from "../errors.ts";
import { FairSlots } from "../fair-slots.ts";

/**
 * All addresses of a name, looked up on behalf of an account.
 * Rejects with `NoSlot` where the lookup was never begun, else with an error whose `code` is that of the resolver:
 * `ENOTFOUND`, `ETIMEOUT`, `ESERVFAIL`, …
 */
export type Resolve = (hostname: string, owner: string) => Promise<readonly LookupAddress[]>;

interface NameResolverOptions {
  /** `address:port` of the name servers; the system's unless given. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

const TRY_MS = 2_000;
const TRIES = 2;
/** However a name server spins out its answers, a lookup is over after this. */
const LOOKUP_MS = TRY_MS * TRIES;
/** How long a name whose servers were silent is not asked for again. */
const SILENT_MS = 30_000;
/** How long an answer is used again, so that connections that are opened together ask once. */
const FRESH_MS = 1_000;
const REMEMBERED = 10_000;
const SLOTS = { total: 64, perOwner: 8, maxWaiting: 1_000, maxWaitMs: 5_000 };

/**
 * Looks names up without the system's resolver, which holds one of a few threads for as long as a name server is silent.
 * Accounts take turns, and a silent name is remembered: names that nobody answers for cost their own account alone.
 */
export function createNameResolver({ servers, hostsFile }: NameResolverOptions = {}): Resolve {
  const hosts = watchHosts(hostsFile);
  const slots = new FairSlots(SLOTS);
  const silent = new LRUCache<string, true>({ max: REMEMBERED, ttl: SILENT_MS });
  const fresh = new LRUCache<string, Promise<LookupAddress[]>>({ max: REMEMBERED, ttl: FRESH_MS });

  const remembered = (name: string): Promise<LookupAddress[]> | undefined =>
    silent.has(name) ? Promise.reject(failed(name, "ETIMEOUT")) : fresh.get(name);
  const lookUp = (name: string): Promise<LookupAddress[]> => {
    const asking = askServers(name, servers);
    fresh.set(name, asking, { ttl: LOOKUP_MS + FRESH_MS });
    asking.then(
      () => fresh.set(name, asking),
      (error: unknown) => {
        fresh.delete(name);
        if (errorCodeOf(error) === "ETIMEOUT") silent.set(name, true);
      },
    );
    return asking;
  };
  return async (hostname, owner) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    const own = (await hosts()).get(name);
    if (own !== undefined) return own;
    // While it waited for its slot, another account may have had the answer.
    return remembered(name) ?? slots.run(owner, () => remembered(name) ?? lookUp(name));
  };
}

/** IPv4 first; one family's failure is nothing where the other has an address. */
async function askServers(name: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), LOOKUP_MS);
  try {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(name),
      resolver.resolve6(name),
    ]);
    const found = [...addressesIn(four, 4), ...addressesIn(six, 6)];
    if (found.length > 0) return found;
    const codes = [codeOf(four), codeOf(six)];
    throw failed(
      name,
      codes.some((code) => SILENCE.has(code))
        ? "ETIMEOUT"
        : (codes.find((code) => code !== "") ?? "ENOTFOUND"),
    );
  } finally {
    clearTimeout(late);
  }
}

function addressesIn(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
}

/** No name server had an answer, good or bad. */
const SILENCE: ReadonlySet<string> = new Set(["ETIMEOUT", "ECANCELLED", "ECONNREFUSED"]);

function codeOf(answer: PromiseSettledResult<unknown>): string {
  return answer.status === "rejected" ? errorCodeOf(answer.reason) : "";
}

function failed(name: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} could not be resolved`), { code });
}

type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

const SYSTEM_HOSTS = "/etc/hosts";
/** How long the file is taken to be unchanged, in milliseconds. */
const CHECK_MS = 1_000;

/** The names of a hosts file in lower case, each with its addresses in the file's order (hosts(5)). */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((one) => one.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
    }
  }
  return hosts;
}

/** Reads the system's hosts file, again only where it has changed; a missing file has no names. */
function watchHosts(path = SYSTEM_HOSTS): () => Promise<Hosts> {
  let known: { readonly hosts: Hosts; readonly changedMs: number } = {
    hosts: new Map(),
    changedMs: -1,
  };
  let checkedMs = -Infinity;
  return async () => {
    if (performance.now() - checkedMs < CHECK_MS) return known.hosts;
    checkedMs = performance.now();
    try {
      const { mtimeMs: changedMs } = await stat(path);
      if (changedMs !== known.changedMs) {
        known = { hosts: parseHosts(await readFile(path, "utf8")), changedMs };
      }
    } catch {
      known = { hosts: new Map(), changedMs: -1 };
    }
    return known.hosts;
  };
}
