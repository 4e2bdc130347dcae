import type { ProblemCode } from "../http/problem/problem.ts";
import type { Route } from "../http/routing/route.ts";
import { linksAmong } from "./describe-links.ts";
import { describeOperation } from "./describe-operation.ts";
import { createSchemaWriter } from "./json-schema.ts";
import type { JsonSchema, SchemaWriter } from "./json-schema.ts";
import { problemSchema } from "./problem-answers.ts";

/** A group of operations; the routes of a section are those at or below its paths. */
export interface ApiSection {
  readonly name: string;
  readonly description: string;
  readonly paths: readonly string[];
}

/** What is said of an API as a whole. */
export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  readonly sections: readonly ApiSection[];
  /** What a key is, and where it comes from. */
  readonly key: string;
  /** Codes of every route that needs a key, such as `account_suspended`. */
  readonly protected: readonly ProblemCode[];
  /** Whether requests are counted. */
  readonly limited: boolean;
  /** What is sent to customers, by type. */
  readonly webhooks?: (writer: SchemaWriter) => Readonly<Record<string, JsonSchema>>;
}

export type OpenApiDocument = JsonSchema;

const PAGE_SECTION: ApiSection = {
  name: "Service",
  description: "Whether the service runs, and its description. No key is needed.",
  paths: ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"],
};

/** The OpenAPI 3.1 document of routes; `publicUrl` is empty where it is served from where it stands. */
export function describeApi<P>(
  routes: readonly Route<P>[],
  description: ApiDescription,
  publicUrl: string,
): OpenApiDocument {
  const writer = createSchemaWriter();
  const sections = [...description.sections, PAGE_SECTION];
  const whole = { ...description, sections };
  const describing = { description: whole, writer, linksOf: linksAmong(routes) };
  writer.write(problemSchema, "output");
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = describeOperation(route, describing);
  }
  const webhooks = description.webhooks?.(writer);
  return {
    openapi: "3.1.0",
    info: {
      title: description.title,
      version: description.version,
      description: description.description,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: publicUrl === "" ? "/" : publicUrl }],
    tags: sections.map(({ name, description: text }) => ({ name, description: text })),
    paths,
    ...(webhooks === undefined ? {} : { webhooks }),
    components: {
      securitySchemes: securitySchemes(whole, routes),
      parameters: PARAMETERS,
      headers: description.limited ? { ...HEADERS, ...LIMIT_HEADERS } : HEADERS,
      schemas: Object.fromEntries([...writer.named].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function securitySchemes<P>({ key }: ApiDescription, routes: readonly Route<P>[]): JsonSchema {
  const schemes = {
    bearer: { type: "http", scheme: "bearer", description: key },
    key: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same, by itself." },
  };
  if (routes.every(({ access }) => access !== "link")) return schemes;
  const description = "A link that the service made, with `expires` beside it.";
  return { ...schemes, link: { type: "apiKey", in: "query", name: "signature", description } };
}

const REQUEST_ID = { type: "string", pattern: "^[A-Za-z0-9_-]{8,64}$" };

const PARAMETERS: JsonSchema = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "The same key with the same request has its effect once within 24 hours; the first answer is given again.",
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
  },
  "Request-Id": {
    name: "Request-Id",
    in: "header",
    required: false,
    description: "Kept for the answer where it has this form; else one is made.",
    schema: { type: "string" },
    example: "0198c0de-0000-7000-8000-000000000001",
  },
};

const HEADERS: JsonSchema = {
  "Request-Id": {
    description: "What to quote when something is reported",
    required: true,
    schema: REQUEST_ID,
  },
  Location: {
    description: "Where what was created is",
    required: true,
    schema: { type: "string" },
  },
  Link: { description: "The next page, where there is more", schema: { type: "string" } },
  "Idempotency-Replayed": {
    description: "`true` where this is the answer of an earlier request with the same key",
    schema: { type: "string", const: "true" },
  },
  "Cache-Control": {
    description: "`no-store`: the answer shows a secret, or what only its reader may see",
    required: true,
    schema: { type: "string" },
  },
  "Retry-After": {
    description: "After how many seconds to try again",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
};

const LIMIT_HEADERS: JsonSchema = {
  RateLimit: {
    description: "What is left, and when there is more (IETF draft)",
    schema: { type: "string" },
  },
  "RateLimit-Policy": {
    description: "How many requests a window has (IETF draft)",
    schema: { type: "string" },
  },
};
