/** One fault of a request. */
export interface Fault {
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
export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const said = (body ?? {}) as Partial<ProblemFacts & { request_id: string; errors: Fault[] }>;
  return new Problem({
    status: response.status,
    code: said.code ?? "unknown",
    title: said.title ?? `Error ${response.status}`,
    detail: said.detail ?? "The service answered with an error that it did not explain.",
    requestId: said.request_id ?? response.headers.get("Request-Id"),
    faults: said.errors ?? [],
  });
}
