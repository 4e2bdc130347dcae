import type { Readable } from "node:stream";

/** What a handler answers: a JSON body, or `raw` content of another type, or nothing. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly raw?: { readonly type: string; readonly content: string | Buffer | Readable };
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** 201; `location` is the path of what was created, such as `/v2/things/1`. */
export function created(body: unknown, location: string): Reply {
  return { status: 201, body, headers: { Location: location } };
}

/** 202: the effect follows later. */
export function accepted(body: unknown): Reply {
  return { status: 202, body };
}

export function noContent(): Reply {
  return { status: 204 };
}
