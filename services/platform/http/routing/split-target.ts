/** A request's target, still percent-encoded. */
export interface Target {
  readonly path: string;
  /** Without its `?`; empty if there is none. */
  readonly search: string;
}

const ABSOLUTE = /^https?:\/\/[^/?]*/i;

/** Splits the request line's target, which may be absolute (RFC 9112, section 3.2.2). */
export function splitTarget(url: string): Target {
  const target = url.startsWith("/") ? url : url.replace(ABSOLUTE, "");
  const at = target.indexOf("?");
  return at < 0
    ? { path: target, search: "" }
    : { path: target.slice(0, at), search: target.slice(at + 1) };
}
