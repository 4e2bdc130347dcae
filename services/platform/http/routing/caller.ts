import type { IncomingHttpHeaders } from "node:http";

/** Where a request came from, for limits on failed authentication, and how: a cookie needs more proof than a key. */
export interface Caller {
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}

/** The parts of a path that its route names, as sent; null for one that is not valid text. */
export type PathParams = Readonly<Record<string, string | null>>;
