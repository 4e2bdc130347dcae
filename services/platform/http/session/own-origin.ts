const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Where a service's pages are reached: by its public URL, or, without one, by the host that the request names. */
export interface OwnAddress {
  /** Empty where none is configured. */
  readonly publicUrl: string;
  readonly host: string | undefined;
}

/**
 * Whether an `Origin` is the service's own. Ports count, because cookies do not distinguish the ports of a host. A public URL
 * on loopback, which has several names, does not say by which of them the browser came: then the host counts.
 */
export function isOwnOrigin(origin: string, { publicUrl, host = "" }: OwnAddress): boolean {
  if (!URL.canParse(origin)) return false;
  const sent = new URL(origin);
  if (sent.origin !== origin) return false;
  const own = URL.canParse(publicUrl) ? new URL(publicUrl) : null;
  if (own !== null && !LOOPBACK.test(own.hostname)) return sent.origin === own.origin;
  const named = `${sent.protocol}//${host}`;
  return URL.canParse(named) && new URL(named).origin === sent.origin;
}
