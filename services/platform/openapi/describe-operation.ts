import type {
  oas31,
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
} from "zod-openapi";
import { isRaw, type GoodAnswer, type Route } from "../http/routing/route.ts";
import type { ApiDescription } from "./describe-api.ts";
import type { LinksOf } from "./describe-links.ts";
import { operationIdOf } from "./operation-id.ts";
import { problemAnswers, problemCodesOf } from "./problem-answers.ts";

const GOOD = {
  200: "OK",
  201: "Created",
  202: "Accepted; the effect follows asynchronously",
  204: "Done; no content",
} as const;

const WITH_KEY: ReadonlySet<string> = new Set(["POST", "PATCH"]);
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** The context for describing an operation. */
export interface Describing<P> {
  readonly description: ApiDescription;
  readonly linksOf: LinksOf<P>;
}

/** One operation of the OpenAPI document; schemas and examples are expanded with the whole document. */
export function describeOperation<P>(
  route: Route<P>,
  { description, linksOf }: Describing<P>,
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
      ...Object.fromEntries(goodAnswersOf(route, { description, linksOf })),
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
  { description, linksOf }: Describing<P>,
): Iterable<[string, ZodOpenApiResponseObject]> {
  for (const [status, answer] of Object.entries(route.answers)) {
    const links = linksOf(route, answer);
    const response = {
      description: GOOD[Number(status) as keyof typeof GOOD],
      headers: headersOf(route, status, description),
      ...(answer === null ? {} : { content: contentOf(answer, route.alternatives) }),
      ...(Object.keys(links).length === 0 ? {} : { links }),
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
