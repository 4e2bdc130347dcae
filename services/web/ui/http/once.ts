import { request, type Fetch, type Method } from "./request.ts";

export interface Command {
  readonly path: string;
  readonly method?: Method;
  readonly body?: unknown;
  /** In place of `fetch`. */
  readonly via?: Fetch;
}

/** The last command that has had no answer but refusals, and its Idempotency-Key. */
export interface Unanswered {
  current: { readonly text: string; readonly key: string } | null;
}

const ofDrafts = new Map<string, Unanswered>();

/** That of a draft, for every dialog that it is written in: opened again, one sends it under the same key. */
export function unansweredOf(draft: string): Unanswered {
  const known = ofDrafts.get(draft) ?? { current: null };
  ofDrafts.set(draft, known);
  return known;
}

/** Sends a command under the key of the unanswered one where it is the same, otherwise under a new one. */
export async function once<Answer>(command: Command, unanswered: Unanswered): Promise<Answer> {
  const { path, method = "POST", body = {}, via } = command;
  // A file's content is not compared, so that another file is never sent under the same key.
  const content = body instanceof FormData ? crypto.randomUUID() : JSON.stringify(body);
  const text = `${method} ${path} ${content}`;
  const before = unanswered.current;
  const key = before?.text === text ? before.key : crypto.randomUUID();
  unanswered.current = { text, key };
  const by = via === undefined ? {} : { via };
  const sent = method === "DELETE" ? {} : { body, idempotencyKey: key, ...by };
  const answer = await request<Answer>(method, path, sent);
  // Not after a refusal: it may be of this try alone, such as that the first is still in progress.
  if (unanswered.current.key === key) unanswered.current = null;
  return answer;
}
