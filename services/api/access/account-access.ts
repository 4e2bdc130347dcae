import { API_KEY, isWellFormed } from "../../domain/account/rules/api-key.ts";
import {
  findKeyHolders,
  type KeyHolder,
  type KeyUse,
} from "../../domain/account/store/api-keys.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { gatherCalls } from "../../platform/gather-calls.ts";
import type { Caller, HttpAppOptions } from "../../platform/http/routing/http-app-options.ts";
import { splitTarget } from "../../platform/http/routing/route-table.ts";
import type { Logger } from "../../platform/logger.ts";
import type { RateLimits } from "../../platform/rate-limit/start-rate-limits.ts";
import {
  authenticatePortal,
  isPortalCookie,
  readApiCredential,
  requireOwnPage,
  requireReach,
  type FindCookieHolder,
} from "../portal/portal-access.ts";
import { limitedAs, turnsOf, type AccountPrincipal } from "./customer-routes.ts";

type AccountAccess = Pick<
  HttpAppOptions<AccountPrincipal>,
  | "readCredential"
  | "authenticate"
  | "refused"
  | "admit"
  | "authorize"
  | "describe"
  | "turnsOf"
  | "isPrivate"
>;

interface AccountAccessDeps extends AccountAuthenticationDeps {
  readonly findCookieHolder: FindCookieHolder;
  readonly limits: RateLimits;
  readonly publicUrl: string | undefined;
}

/**
 * Decides who may call the customer API, by a key or by the portal's cookie: 401 without a valid one, 429 above the
 * limits, 403 for a suspended account or a command from another site, 404 for what a portal session does not reach.
 */
export function accountAccess(deps: AccountAccessDeps): AccountAccess {
  const { limits, findCookieHolder, publicUrl } = deps;
  return {
    readCredential: readApiCredential,
    authenticate: (credential) =>
      isPortalCookie(credential)
        ? authenticatePortal(findCookieHolder, credential)
        : authenticateAccount(deps, credential),
    refused: ({ address }: Caller) => limits.refused(address),
    admit: (principal, ctx) => limits.admit(limitedAs(principal), ctx),
    authorize: (principal, route, ctx) => {
      authorizeAccount(principal);
      const { portal } = principal;
      if (portal === undefined || route === null) return;
      if (route.method !== "GET") requireOwnPage(ctx, publicUrl);
      requireReach(portal, route, splitTarget(ctx.req.url ?? "").path);
    },
    turnsOf,
    isPrivate: ({ portal }) => portal !== undefined,
    describe: ({ accountId, portal }) => ({
      account_id: accountId,
      ...(portal === undefined ? {} : { portal_session_id: portal.sessionId }),
    }),
  };
}

/** Finds the holder of a key; null if the key is not valid. */
type FindHolder = (key: string) => Promise<KeyHolder | null>;

interface AccountAuthenticationDeps {
  readonly findHolder: FindHolder;
  readonly usage: Pick<KeyUsage, "note">;
}

/** Identifies the account by its key, always looked up and never cached; null for any key that is not valid. */
export async function authenticateAccount(
  { findHolder, usage }: AccountAuthenticationDeps,
  credential: string | null,
): Promise<AccountPrincipal | null> {
  if (credential === null || !isWellFormed(API_KEY, credential)) return null;
  const holder = await findHolder(credential);
  if (holder === null) return null;
  const { account_id: accountId, key_id: keyId, status } = holder;
  const { has_number_defaults: hasNumberDefaults } = holder;
  usage.note(keyId);
  return { accountId, keyId, suspended: status === "suspended", hasNumberDefaults };
}

/** @throws `account_suspended` */
export function authorizeAccount({ suspended }: AccountPrincipal): void {
  if (suspended) {
    throw new AppError("account_suspended", "Ask the platform's operators why it is suspended.");
  }
}

const MOST_LOOKED_UP = 100;

/** Concurrent requests share a look-up that starts after all of them arrived, so a revocation takes effect at once. */
export function createHolderLookup(db: Queryable): FindHolder {
  return gatherCalls({
    run: async (keys: readonly string[]) => {
      const holders = await findKeyHolders(db, keys);
      return (key) => holders.get(key) ?? null;
    },
    most: MOST_LOOKED_UP,
  });
}

interface KeyUsageOptions {
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
const MOST_NOTED = 50_000;

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
    else if (entries.size < MOST_NOTED) {
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
