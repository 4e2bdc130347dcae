import { createDocument, type CreateDocumentOptions, type oas31 } from "zod-openapi";
import type { ProblemCode } from "../http/problem/problem.ts";
import type { Route } from "../http/routing/route.ts";
import { linksAmong } from "./describe-links.ts";
import { describeOperation } from "./describe-operation.ts";
import { addExamples } from "./example-of.ts";
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
  readonly webhooks?: () => Readonly<Record<string, unknown>>;
}

const PAGE_SECTION: ApiSection = {
  name: "Service",
  description: "Whether the service runs, and its description. No key is needed.",
  paths: ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"],
};

/** zod's own expressions for these formats: long, and nothing that the format does not say. */
const FORMATS_THAT_SAY_ALL: ReadonlySet<unknown> = new Set(["uuid", "date-time"]);

const WRITTEN_AS: CreateDocumentOptions = {
  allowEmptySchema: { custom: true },
  override: ({ jsonSchema, io }) => {
    if (FORMATS_THAT_SAY_ALL.has(jsonSchema.format) || jsonSchema.type === "integer") {
      delete jsonSchema.pattern;
    }
    // An answer may gain fields within the version; zod closes every object that it puts out.
    if (io === "output" && jsonSchema.additionalProperties === false) {
      delete jsonSchema.additionalProperties;
    }
  },
};

/** The OpenAPI 3.1 document of routes; `publicUrl` is empty where it is served from where it stands. */
export function describeApi<P>(
  routes: readonly Route<P>[],
  description: ApiDescription,
  publicUrl: string,
) {
  const sections = [...description.sections, PAGE_SECTION];
  const describing = { description: { ...description, sections }, linksOf: linksAmong(routes) };
  const paths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = describeOperation(route, describing);
  }
  const document = createDocument(
    {
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
      components: {
        securitySchemes: securitySchemes(description, routes),
        parameters: PARAMETERS,
        headers: description.limited ? { ...HEADERS, ...LIMIT_HEADERS } : HEADERS,
        schemas: { Problem: problemSchema },
      },
    },
    WRITTEN_AS,
  );
  addExamples(document);
  const webhooks = description.webhooks?.();
  return webhooks === undefined ? document : { ...document, webhooks };
}

function securitySchemes<P>(
  { key }: ApiDescription,
  routes: readonly Route<P>[],
): Record<string, oas31.SecuritySchemeObject> {
  const schemes = {
    bearer: { type: "http", scheme: "bearer", description: key },
    key: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same, by itself." },
  } as const;
  if (routes.every(({ access }) => access !== "link")) return schemes;
  const description = "A link that the service made, with `expires` beside it.";
  return { ...schemes, link: { type: "apiKey", in: "query", name: "signature", description } };
}

const TEXT = { type: "string" } as const;

const PARAMETERS: Record<string, oas31.ParameterObject> = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "The same key with the same request has its effect once within 24 hours; the first answer is given again.",
    schema: { ...TEXT, pattern: "^[\\x21-\\x7e]{1,255}$" },
  },
  "Request-Id": {
    name: "Request-Id",
    in: "header",
    required: false,
    description: "Kept for the answer where it has this form; else one is made.",
    schema: TEXT,
    example: "0198c0de-0000-7000-8000-000000000001",
  },
};

const HEADERS: Record<string, oas31.HeaderObject> = {
  "Request-Id": {
    description: "What to quote when something is reported",
    required: true,
    schema: { ...TEXT, pattern: "^[A-Za-z0-9_-]{8,64}$" },
  },
  Location: { description: "Where what was created is", required: true, schema: TEXT },
  Link: { description: "The next page, where there is more", schema: TEXT },
  "Idempotency-Replayed": {
    description: "`true` where this is the answer of an earlier request with the same key",
    schema: { ...TEXT, const: "true" },
  },
  "Cache-Control": {
    description: "`no-store`: the answer shows a secret, or what only its reader may see",
    required: true,
    schema: TEXT,
  },
  "Retry-After": {
    description: "After how many seconds to try again",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
};

const LIMIT_HEADERS: Record<string, oas31.HeaderObject> = {
  RateLimit: { description: "What is left, and when there is more (IETF draft)", schema: TEXT },
  "RateLimit-Policy": {
    description: "How many requests a window has (IETF draft)",
    schema: TEXT,
  },
};
