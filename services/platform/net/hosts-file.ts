import { readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";
import type { LookupAddress } from "node:dns";

export type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

const SYSTEM_HOSTS = "/etc/hosts";
/** How long the file is taken to be unchanged, in milliseconds. */
const FRESH_MS = 1_000;

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
export function watchHosts(path = SYSTEM_HOSTS): () => Promise<Hosts> {
  let known: { readonly hosts: Hosts; readonly changedMs: number } = {
    hosts: new Map(),
    changedMs: -1,
  };
  let checkedMs = -Infinity;
  return async () => {
    if (performance.now() - checkedMs < FRESH_MS) return known.hosts;
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
