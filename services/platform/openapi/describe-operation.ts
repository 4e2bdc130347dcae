import type { z } from "zod";

import { isRaw, type GoodAnswer, type Route } from "../http/routing/route.ts";
import type { ApiDescription } from "./describe-api.ts";
import type { LinksOf } from "./describe-links.ts";
import type { Direction, JsonSchema, SchemaWriter } from "./json-schema.ts";
import { exampleOf } from "./example-of.ts";
import { operationIdOf } from "./operation-id.ts";
import { problemAnswers, problemCodesOf } from "./problem-answers.ts";

const GOOD = {
  "200": "As asked",
  "201": "Created",
  "202": "Accepted; the effect follows",
  "204": "Done; there is nothing to say",
} as const;

const WITH_KEY: ReadonlySet<string> = new Set(["POST", "PATCH"]);
const ref = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });

/** What an operation is described with. */
export interface Describing<P> {
  readonly description: ApiDescription;
  readonly writer: SchemaWriter;
  readonly linksOf: LinksOf<P>;
}

/** One operation of the OpenAPI document. */
export function describeOperation<P>(route: Route<P>, describing: Describing<P>): JsonSchema {
  const { description, writer } = describing;
  const body = requestBodyOf(route, writer);
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [sectionOf(route.path, description)],
    security: securityOf(route),
    parameters: parametersOf(route, writer),
    ...(body === null ? {} : { requestBody: body }),
    responses: {
      ...Object.fromEntries(goodAnswersOf(route, describing)),
      ...problemAnswers(problemCodesOf(route, description)),
    },
  };
}

function sectionOf(path: string, { sections }: ApiDescription): string {
  const found = sections.find(({ paths }) =>
    paths.some((start) => path === start || path.startsWith(`${start}/`)),
  );
  // A test names the path that no section has.
  return found?.name ?? "";
}

function securityOf<P>({ access }: Route<P>): JsonSchema[] {
  if (access === "public") return [];
  const keys = [{ bearer: [] }, { key: [] }];
  return access === "link" ? [...keys, { link: [] }] : keys;
}

function parametersOf<P>(route: Route<P>, writer: SchemaWriter): JsonSchema[] {
  const named = [
    ...fieldsOf("path", route.params, writer),
    ...fieldsOf("query", route.query, writer),
    ...fieldsOf("header", route.headers, writer),
  ];
  const once = route.access !== "public" && WITH_KEY.has(route.method);
  return [
    ...named,
    ...(once ? [ref("parameters", "Idempotency-Key")] : []),
    ref("parameters", "Request-Id"),
  ];
}

function fieldsOf(
  place: "path" | "query" | "header",
  schema: z.ZodObject | undefined,
  writer: SchemaWriter,
): JsonSchema[] {
  if (schema === undefined) return [];
  const { properties, required } = writer.write(schema, "input");
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, field]: [string, JsonSchema]) => {
    const { description, ...rest } = field;
    return {
      name,
      in: place,
      required: place === "path" || names.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function requestBodyOf<P>({ body, form, method }: Route<P>, writer: SchemaWriter) {
  const bodies = {
    ...(body === undefined ? {} : { "application/json": body }),
    ...(form === undefined ? {} : { "multipart/form-data": form.fields }),
  };
  if (Object.keys(bodies).length > 0) {
    const content = Object.entries(bodies).map(([type, schema]) => {
      const direction: Direction = "input";
      return [type, { schema: writer.write(schema, direction) }] as const;
    });
    const optional = form === undefined && body?.safeParse({}).success === true;
    return { required: !optional, content: Object.fromEntries(content) };
  }
  if (!WITH_KEY.has(method)) return null;
  const schema = { type: "object", additionalProperties: false };
  return { required: false, content: { "application/json": { schema } } };
}

function* goodAnswersOf<P>(
  route: Route<P>,
  { description, writer, linksOf }: Describing<P>,
): Iterable<[string, JsonSchema]> {
  for (const [status, answer] of Object.entries(route.answers)) {
    const text = GOOD[status as keyof typeof GOOD];
    const links = linksOf(route, answer);
    yield [
      status,
      {
        description: text,
        headers: headersOf(route, status, description),
        ...contentOf(answer, writer),
        ...(Object.keys(links).length === 0 ? {} : { links }),
      },
    ];
  }
}

function contentOf(answer: GoodAnswer, writer: SchemaWriter): JsonSchema {
  if (answer === null) return {};
  if (!isRaw(answer)) {
    const schema = writer.write(answer, "output");
    const example = exampleOf(schema, writer.named);
    return { content: { "application/json": { schema, example } } };
  }
  const schemas = answer.mediaTypes.map((type) => [type, { schema: {} }] as const);
  return { content: Object.fromEntries(schemas) };
}

function headersOf<P>(
  { access, method, query, noStore }: Route<P>,
  status: string,
  { limited }: ApiDescription,
): JsonSchema {
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
