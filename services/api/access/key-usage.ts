import type { KeyUse } from "../../domain/account/store/api-keys.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";

export interface KeyUsageOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Writes many uses in one statement. */
  readonly write: (uses: readonly KeyUse[]) => Promise<void>;
  readonly tickMs?: number;
}

/** Records when keys were last used and writes it later, so that no request waits for the write or fails because of it. */
export interface KeyUsage {
  note(keyId: string): void;
  /** Writes what is due; `stop` writes everything. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const TICK_MS = 5_000;
/** Together with the tick this keeps `last_used_at` accurate to within a minute. */
const SPACING_MS = 50_000;
const MAX_KEYS = 50_000;

/** `usedAt` is null once it is written. Writes are spaced from the last written use, which the error is measured from. */
interface Entry {
  usedAt: Date | null;
  writtenUseMs: number;
}

export function createKeyUsage(options: KeyUsageOptions): KeyUsage {
  const { clock, log } = options;
  const entries = new Map<string, Entry>();
  let writing = Promise.resolve();

  const note = (keyId: string) => {
    const entry = entries.get(keyId);
    if (entry !== undefined) entry.usedAt = clock.now();
    else if (entries.size < MAX_KEYS) {
      entries.set(keyId, { usedAt: clock.now(), writtenUseMs: -Infinity });
    }
  };
  const write = async (spacingMs: number) => {
    const uses = takeDue(entries, clock.now().getTime(), spacingMs);
    if (uses.length === 0) return;
    try {
      await options.write(uses);
    } catch (err) {
      for (const { keyId, at } of uses) putBack(entries, keyId, at);
      log.warn({ err, keys: uses.length }, "could not write when keys were last used; will retry");
    }
  };
  const flush = (spacingMs: number) => (writing = writing.then(() => write(spacingMs)));

  const timer = setInterval(() => void flush(SPACING_MS), options.tickMs ?? TICK_MS);
  timer.unref();
  return {
    note,
    flush: () => flush(SPACING_MS),
    stop: () => {
      clearInterval(timer);
      return flush(0);
    },
  };
}

function takeDue(entries: Map<string, Entry>, nowMs: number, spacingMs: number): KeyUse[] {
  const uses: KeyUse[] = [];
  for (const [keyId, entry] of entries) {
    if (nowMs - entry.writtenUseMs < spacingMs) continue;
    if (entry.usedAt === null) entries.delete(keyId);
    else {
      uses.push({ keyId, at: entry.usedAt });
      entry.writtenUseMs = entry.usedAt.getTime();
      entry.usedAt = null;
    }
  }
  return uses;
}

function putBack(entries: Map<string, Entry>, keyId: string, at: Date): void {
  const entry = entries.get(keyId) ?? { usedAt: null, writtenUseMs: -Infinity };
  entries.set(keyId, { usedAt: entry.usedAt ?? at, writtenUseMs: -Infinity });
}
