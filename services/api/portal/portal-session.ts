const MAX_COOKIE_MS = 12 * 3_600_000;

/** A portal session as its account sees it. */
export interface PortalSession {
  readonly id: string;
  readonly order_id: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly opened_at: Date | null;
  readonly ended_at: Date | null;
}

/** A link that was presented, with what decides whether it still opens. */
export interface PresentedLink extends PortalSession {
  readonly account_id: string;
  readonly api_key_id: string;
  readonly account_name: string;
  readonly is_suspended: boolean;
  readonly is_key_revoked: boolean;
}

export type LinkRefusal = "suspended" | "ended" | "expired" | "used";

/** Why a link opens nothing; null where it does. A link to the account opens once, a link to an order again and again. */
export function refusalOf(link: PresentedLink, now: Date): LinkRefusal | null {
  if (link.is_suspended) return "suspended";
  if (link.ended_at !== null || link.is_key_revoked) return "ended";
  if (link.expires_at <= now) return "expired";
  return link.order_id === null && link.opened_at !== null ? "used" : null;
}

/** A cookie lasts 12 hours, and never longer than its session. */
export function cookieExpiry({ expires_at }: PortalSession, now: Date): Date {
  return new Date(Math.min(now.getTime() + MAX_COOKIE_MS, expires_at.getTime()));
}
