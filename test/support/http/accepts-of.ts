import type { IncomingMessage, ServerResponse } from "node:http";
import Koa from "koa";
import type { Accepts } from "../../../services/platform/http/pages/built-pages.ts";

/** What a request with this header accepts; without one, anything. */
export function acceptsOf(accept: string | undefined): Accepts {
  const headers = accept === undefined ? {} : { accept };
  const ctx = new Koa().createContext({ headers } as IncomingMessage, {} as ServerResponse);
  return (...types) => ctx.accepts(...types);
}
