import type { Readable } from "node:stream";
import type { Encoding } from "./write-reply.ts";

/** Content of any type. */
export interface RawContent {
  readonly type: string;
  readonly content: string | Buffer | Readable;
  /** The same buffer in every response: it is compressed only once, and not sent again to who has it (ETag). */
  readonly isConstant?: boolean;
  /** What the content is compressed by already, and `Vary` says. */
  readonly encoding?: Encoding;
}

/** A handler's response: a JSON body, `raw` content of another type, or nothing. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly raw?: RawContent;
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** 201; `location` is the path of the created resource, such as `/v2/things/1`. */
export function created(body: unknown, location: string): Reply {
  return { status: 201, body, headers: { Location: location } };
}

/** 202: accepted, with the effect to follow. */
export function accepted(body: unknown): Reply {
  return { status: 202, body };
}

export function noContent(): Reply {
  return { status: 204 };
}

/** Whether a response with this Content-Type goes on until the client ends it. */
export function isEventStream(contentType: unknown): boolean {
  return contentType === "text/event-stream";
}
