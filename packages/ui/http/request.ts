import { withTimeTexts } from "../time-text.ts";

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

interface RequestOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The same key over the retries of one command, so that it happens once. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of `fetch`. */
  readonly via?: Fetch;
}

export type Fetch = (path: string, init: RequestInit) => Promise<Response>;

/** Headers that prove to the service that a command comes from its own page; set at sign-in. */
let proof: Readonly<Record<string, string>> = {};

export function proveBy(headers: Readonly<Record<string, string>>): void {
  proof = headers;
}

/** @throws Problem for every answer that is not a success, and where there is none */
export async function send(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const { body, signal, idempotencyKey, headers, via = fetch } = options;
  const isForm = body instanceof FormData;
  const init: RequestInit = {
    method,
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      ...(method === "GET" ? {} : proof),
      ...(body === undefined || isForm ? {} : { "Content-Type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
  const response = await arrived(via(path, init), method, signal);
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** What comes whole; what is cut off on its way is no answer. */
export function arrived<T>(coming: Promise<T>, method: Method, signal?: AbortSignal): Promise<T> {
  return coming.catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw unreachable(method === "GET" ? "read" : "command", error);
  });
}

/** The JSON of an answer, in the shape that the contract promises; null for 204. */
export async function request<T>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return null as T;
  return (await arrived(response.json(), method, options.signal)) as T;
}

type QueryValue = string | number | boolean | readonly string[] | null | undefined;

/** `path?name=value`, without what is empty; a list repeats its name. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values: readonly (string | number | boolean | null | undefined)[] =
      typeof value === "object" && value !== null ? value : [value];
    for (const one of values) {
      if (one !== null && one !== undefined && one !== "") search.append(name, String(one));
    }
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** A page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/** One fault of a request. */
interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly code: string;
  readonly detail: string;
}

interface ProblemFacts {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | null;
  readonly faults: readonly Fault[];
}

/** A refusal by the service, or `unreachable` with status 0 where no answer came. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly requestId: string | null;
  readonly faults: readonly Fault[];

  constructor(facts: ProblemFacts, options?: ErrorOptions) {
    super(facts.detail, options);
    this.name = "Problem";
    this.status = facts.status;
    this.code = facts.code;
    this.title = facts.title;
    this.requestId = facts.requestId;
    this.faults = facts.faults;
  }
}

const UNREACHABLE = "The service cannot be reached.";

/** No answer came: to a command it may have been done all the same. */
export function unreachable(kind: "read" | "command", cause: unknown): Problem {
  const detail =
    kind === "read"
      ? `${UNREACHABLE} What is shown here may be out of date or missing; try again.`
      : `${UNREACHABLE} It is not known whether this was done: once the connection is back, check before you do it again.`;
  const facts = { status: 0, code: "unreachable", title: "No connection", detail };
  return new Problem({ ...facts, requestId: null, faults: [] }, { cause });
}

/** What a response that is not a success says, whoever wrote it: the service, or a proxy before it. */
async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const said = (body ?? {}) as Partial<ProblemFacts & { request_id: string; errors: Fault[] }>;
  return new Problem({
    status: response.status,
    code: said.code ?? "unknown",
    title: said.title ?? `Error ${response.status}`,
    detail: said.detail ?? "The service answered with an error that it did not explain.",
    requestId: said.request_id ?? response.headers.get("Request-Id"),
    faults: said.errors?.map(readable) ?? [],
  });
}

/** The possible times that a date is refused for are for a person to choose from. */
function readable(fault: Fault): Fault {
  if (fault.code !== "foc_not_possible") return fault;
  return { ...fault, detail: withTimeTexts(fault.detail) };
}

/** What the service says of one field of a body, by its JSON pointer: `#/foc_at`; null if it is fine. */
export function faultAt(error: unknown, pointer: string): string | null {
  const fault = faultsOf(error).find((one) => isAt(one.pointer, pointer));
  return fault?.detail ?? null;
}

/** What the service says of no field in `pointers`, which the form has to show elsewhere. */
export function otherFaults(error: unknown, pointers: readonly string[]): string | null {
  if (error === null || error === undefined) return null;
  const faults = faultsOf(error);
  if (faults.length === 0) return error instanceof Error ? error.message : "It failed.";
  const others = faults.filter((one) => !pointers.some((pointer) => isAt(one.pointer, pointer)));
  return others.length === 0 ? null : others.map(({ detail }) => detail).join(" ");
}

function faultsOf(error: unknown) {
  return error instanceof Problem ? error.faults : [];
}

function isAt(given: string | undefined, pointer: string): boolean {
  return given === pointer || given?.startsWith(`${pointer}/`) === true;
}

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
