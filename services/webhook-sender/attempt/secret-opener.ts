import type { Sealed, SecretBox } from "../../platform/secret-box.ts";

const MOST = 1_000;

/**
 * Opens sealed secrets and caches them in memory, where the key that opens them is as well. A rotated
 * secret is sealed again, so the cache is never stale.
 */
export function createSecretOpener(box: Pick<SecretBox, "open">): SecretBox["open"] {
  const kept = new Map<string, string>();
  return (sealed: Sealed, owner: string): string => {
    const name = `${owner} ${sealed.keyId} ${sealed.bytes.toString("latin1")}`;
    const found = kept.get(name);
    if (found !== undefined) return found;
    const opened = box.open(sealed, owner);
    if (kept.size >= MOST) kept.clear();
    kept.set(name, opened);
    return opened;
  };
}
