import type {
  oas31,
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
} from "zod-openapi";
import { z } from "zod";
import { PROBLEMS, problemTitle, type Credential, type ProblemCode } from "../http/problem.ts";
import { isRaw, type GoodAnswer, type Route } from "../http/routing/route.ts";
import type { ApiDescription } from "./describe-api.ts";
import { operationIdOf } from "./operation-id.ts";

const REQUEST_ID = "0198c0de-0000-7000-8000-000000000001";

const fault = z
  .object({
    pointer: z
      .string()
      .optional()
      .meta({ description: "Location in the body: a JSON pointer as a URI fragment" }),
    parameter: z.string().optional().meta({ description: "Query parameter" }),
    header: z.string().optional().meta({ description: "Request header" }),
    code: z.string().meta({
      description: "What is wrong, for programs; later versions may have more codes",
      examples: ["invalid_number"],
    }),
    detail: z.string().meta({
      description: "What is wrong, for people",
      examples: ["It is not a valid phone number in E.164."],
    }),
  })
  .meta({ id: "Fault", description: "One fault of a request, and where it is" });

/** The body of every error response (RFC 9457). */
export const problemSchema = z
  .object({
    type: z.string().meta({ format: "uri", description: "The code as a URI; it is not a page" }),
    title: z.string().meta({
      description: "The kind of problem, the same whenever its code is",
      examples: [PROBLEMS.not_found.title],
    }),
    status: z.int().meta({ description: "The HTTP status", examples: [PROBLEMS.not_found.status] }),
    detail: z.string().meta({
      description: "What went wrong in this request, for people",
      examples: ["There is no such order."],
    }),
    code: z
      .enum(Object.keys(PROBLEMS))
      .meta({ id: "ProblemCode", description: "The kind of problem, stable, for programs" }),
    request_id: z.string().meta({
      description: "The response's Request-Id, to quote when reporting a problem",
      examples: [REQUEST_ID],
    }),
    errors: z.array(fault).optional().meta({ description: "Every fault of the request" }),
  })
  .meta({ id: "Problem", description: "What went wrong (RFC 9457)" });

const HEADERS: Partial<Record<ProblemCode, oas31.HeadersObject>> = {
  unauthorized: {
    "WWW-Authenticate": { required: true, schema: { type: "string", const: "Bearer" } },
  },
  rate_limited: { "Retry-After": { $ref: "#/components/headers/Retry-After" } },
  unavailable: { "Retry-After": { $ref: "#/components/headers/Retry-After" } },
};

/** The problem codes that a route may return. */
function problemCodesOf<P>(route: Route<P>, api: Pick<ApiDescription, "protected">): ProblemCode[] {
  const { access, method, path, form, body, produces, refuses = [] } = route;
  const writes = method === "POST" || method === "PATCH" || method === "PUT";
  const codes = new Set<ProblemCode>(["invalid_parameter", "invalid_header", "internal"]);
  const add = (...more: readonly ProblemCode[]): void => more.forEach((code) => codes.add(code));
  if (access !== "public") {
    add("unauthorized", "unavailable", ...api.protected);
    if (writes) add("idempotency_in_progress", "idempotency_key_reused", "quota_exceeded");
  }
  if (path.includes("/:")) add("not_found");
  if (produces !== "*/*") add("not_acceptable");
  if (writes || body !== undefined || form !== undefined) {
    add("malformed_json", "payload_too_large", "unsupported_media_type", "validation_failed");
  }
  add(...refuses);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}

/** The responses for the codes, by status, in the table's order. */
function problemAnswers(
  codes: readonly ProblemCode[],
  credential?: Credential,
): Record<string, oas31.ResponseObject> {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      problemAnswer(
        codes.filter((code) => PROBLEMS[code].status === status),
        credential,
      ),
    ]),
  );
}

function problemAnswer(
  codes: readonly ProblemCode[],
  credential?: Credential,
): oas31.ResponseObject {
  const own = codes.flatMap((code) => Object.entries(HEADERS[code] ?? {}));
  return {
    description: codes.map((code) => `\`${code}\`: ${problemTitle(code, credential)}`).join("; "),
    headers: {
      "Request-Id": { $ref: "#/components/headers/Request-Id" },
      ...Object.fromEntries(own),
    },
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: problemOf(code, credential) }]),
        ),
      },
    },
  };
}

function problemOf(code: ProblemCode, credential?: Credential) {
  const { status } = PROBLEMS[code];
  const title = problemTitle(code, credential);
  const type = `urn:numberporting:problem:${code}`;
  return { type, title, status, detail: `${title}.`, code, request_id: REQUEST_ID };
}

const GOOD = {
  200: "OK",
  201: "Created",
  202: "Accepted; the effect follows asynchronously",
  204: "Done; no content",
} as const;

const WITH_KEY: ReadonlySet<string> = new Set(["POST", "PATCH"]);
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** One operation of the OpenAPI document; schemas and examples are expanded with the whole document. */
export function describeOperation<P>(
  route: Route<P>,
  description: ApiDescription,
): ZodOpenApiOperationObject {
  const { params, query, headers, access, method } = route;
  const once = access !== "public" && WITH_KEY.has(method);
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    description: [route.description ?? `${route.summary}.`, roleOf(route)].join("").trim(),
    tags: [sectionOf(route.path, description)],
    security: securityOf(route, description),
    requestParams: { path: params, ...(query && { query }), ...(headers && { header: headers }) },
    parameters: [
      ...(once ? [ref("parameters", "Idempotency-Key")] : []),
      ref("parameters", "Request-Id"),
    ],
    ...requestBodyOf(route),
    responses: {
      ...Object.fromEntries(goodAnswersOf(route, description)),
      ...problemAnswers(problemCodesOf(route, description), description.credential),
    },
  };
}

function roleOf<P>({ role }: Route<P>): string {
  return role === undefined ? "" : `\n\nNeeds the role \`${role}\`, or one that includes it.`;
}

function sectionOf(path: string, { sections }: ApiDescription): string {
  const plain = path.replaceAll(/:[a-z_]+/g, "{}");
  const [found] = sections
    .flatMap(({ name, paths }) => paths.map((start) => ({ name, start })))
    .filter(({ start }) => plain === start || plain.startsWith(`${start}/`))
    .toSorted((a, b) => b.start.length - a.start.length);
  // A test reports paths without a section.
  return found?.name ?? "";
}

function securityOf<P>(
  { access }: Route<P>,
  { cookie }: ApiDescription,
): Record<string, string[]>[] {
  if (access === "public") return [];
  const keys = [{ bearer: [] }, { key: [] }, ...(cookie === undefined ? [] : [{ cookie: [] }])];
  return access === "link" ? [...keys, { link: [] }] : keys;
}

function requestBodyOf<P>({ body, form }: Route<P>): Partial<ZodOpenApiOperationObject> {
  if (body === undefined && form === undefined) return {};
  const isOptional = form === undefined && body?.safeParse({}).success === true;
  const content = {
    ...(body === undefined ? {} : { "application/json": { schema: body } }),
    ...(form === undefined ? {} : { "multipart/form-data": { schema: form.fields } }),
  };
  return { requestBody: { required: !isOptional, content } };
}

function* goodAnswersOf<P>(
  route: Route<P>,
  description: ApiDescription,
): Iterable<[string, ZodOpenApiResponseObject]> {
  for (const [status, answer] of Object.entries(route.answers)) {
    const response = {
      description: GOOD[Number(status) as keyof typeof GOOD],
      headers: headersOf(route, status, description),
      ...(answer === null ? {} : { content: contentOf(answer, route.alternatives) }),
    };
    yield [status, response];
  }
}

function contentOf(
  answer: Exclude<GoodAnswer, null>,
  alternatives: readonly string[] = [],
): ZodOpenApiContentObject {
  const rawTypes = [...(isRaw(answer) ? answer.mediaTypes : []), ...alternatives];
  return {
    ...(isRaw(answer) ? {} : { "application/json": { schema: answer } }),
    ...Object.fromEntries(rawTypes.map((type) => [type, { schema: rawSchema(type) }])),
  };
}

/** Text as a string and anything else as a file, which generators know by this format. */
function rawSchema(type: string): oas31.SchemaObject {
  return type.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" };
}

function headersOf<P>(
  { access, method, query, noStore }: Route<P>,
  status: string,
  { limited }: ApiDescription,
) {
  const paged =
    query?.def.shape["starting_after"] !== undefined && query.def.shape["limit"] !== undefined;
  const names = [
    "Request-Id",
    ...(status === "201" ? ["Location"] : []),
    ...(paged ? ["Link"] : []),
    ...(access !== "public" && WITH_KEY.has(method) ? ["Idempotency-Replayed"] : []),
    ...(access !== "public" && limited ? ["RateLimit", "RateLimit-Policy"] : []),
    ...(noStore ? ["Cache-Control"] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, ref("headers", name)]));
}
