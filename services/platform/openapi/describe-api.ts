import { globalRegistry } from "zod";
import { createDocument, type CreateDocumentOptions, type oas31 } from "zod-openapi";
import { isDeepStrictEqual } from "node:util";
import type { Credential, ProblemCode } from "../http/problem.ts";
import type { Route } from "../http/routing/route.ts";
import { capitalized, COMPONENT, operationsOf, responsesOf } from "./operation-id.ts";
import { describeOperation, problemSchema } from "./describe-operation.ts";
import { addExamples } from "./example-of.ts";
import { openEnums } from "./open-enums.ts";

/** A group of operations, which generated clients make a class or a file of. */
interface ApiSection {
  readonly name: string;
  readonly description: string;
  /** A route belongs to the section with the longest path that it is at or below; a parameter counts as `{}`. */
  readonly paths: readonly string[];
}

/** The general description of an API. */
export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  /** Who answers questions about it. */
  readonly contact: string;
  readonly sections: readonly ApiSection[];
  /** What an API key is, and where it comes from. */
  readonly key: string;
  /** The cookie by which a browser may call in place of a key. */
  readonly cookie?: { readonly name: string; readonly description: string };
  /** What a 401 asks for; an API key unless given. */
  readonly credential?: Credential;
  /** Problem codes of every route that needs a key, such as `account_suspended`. */
  readonly protected: readonly ProblemCode[];
  /** Whether requests are rate limited. */
  readonly limited: boolean;
  /** Whether an address is limited in how often it reads the document; behind a proxy all clients may have one. True unless given. */
  readonly limitsAddresses?: boolean;
  /** Webhooks sent to customers. */
  readonly webhooks?: () => DescribedWebhooks;
  /** Served beside the API's own description, and no operations of it. */
  readonly documents?: readonly ServedDocument[];
}

/** A JSON document that never changes while the service runs, such as `/asyncapi.json`. */
export interface ServedDocument {
  readonly path: string;
  readonly content: () => object;
}

export interface DescribedWebhooks {
  /** A group of their own, because they are requests to customers, not to the API. */
  readonly section: Omit<ApiSection, "paths">;
  /** By event type. */
  readonly requests: Readonly<Record<string, oas31.PathItemObject>>;
  /** The components of their bodies. */
  readonly schemas: Readonly<Record<string, oas31.SchemaObject>>;
}

const PAGE_SECTION: ApiSection = {
  name: "Service",
  description: "Health of the service, and its API description. No key is required.",
  paths: ["/healthz", "/readyz", "/metrics", "/openapi.json"],
};

/** Formats whose zod patterns are long and add nothing to the format. */
const SELF_EXPLANATORY_FORMATS: ReadonlySet<unknown> = new Set(["uuid", "date-time"]);

const WRITTEN_AS: CreateDocumentOptions = {
  allowEmptySchema: { custom: true },
  override: ({ jsonSchema, zodSchema, io }) => {
    // zod drops the examples of an input that is transformed, though they are of what is sent.
    const examples = io === "input" ? globalRegistry.get(zodSchema)?.examples : undefined;
    if (Array.isArray(examples)) jsonSchema.examples ??= examples;
    if (SELF_EXPLANATORY_FORMATS.has(jsonSchema.format) || jsonSchema.type === "integer") {
      delete jsonSchema.pattern;
    }
    // They say no more than `integer`, and generators warn of them.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // What a nullable value is describes the property too.
    const [value] = jsonSchema.anyOf ?? [];
    if (value?.description !== undefined) jsonSchema.description ??= value.description;
    // A response may gain fields within the version, but zod closes every output object.
    if (io === "output" && jsonSchema.additionalProperties === false) {
      delete jsonSchema.additionalProperties;
    }
  },
};

/** The OpenAPI 3.1 document of routes; an empty `publicUrl` makes its server URL relative. */
export function describeApi<P>(
  routes: readonly Route<P>[],
  description: ApiDescription,
  publicUrl: string,
) {
  const sections = [...description.sections, PAGE_SECTION];
  const described = { ...description, sections };
  const paths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = describeOperation(route, described);
  }
  const webhooks = description.webhooks?.();
  const groups = webhooks === undefined ? sections : [...sections, webhooks.section];
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: description.title,
        version: description.version,
        description: description.description,
        contact: { name: description.contact },
        license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
      },
      servers: [{ url: publicUrl === "" ? "/" : publicUrl }],
      tags: groups.map(({ name, description: text }) => ({ name, description: text })),
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
  describeParameters(document);
  nameBodies(document);
  openEnums(document);
  addExamples(document);
  if (webhooks === undefined) return document;
  const schemas = { ...document.components?.schemas, ...webhooks.schemas };
  const components = { ...document.components, schemas };
  return { ...document, components, webhooks: webhooks.requests };
}

function securitySchemes<P>(
  { key, cookie }: ApiDescription,
  routes: readonly Route<P>[],
): Record<string, oas31.SecuritySchemeObject> {
  const schemes: Record<string, oas31.SecuritySchemeObject> = {
    bearer: { type: "http", scheme: "bearer", description: key },
    key: {
      type: "apiKey",
      in: "header",
      name: "X-API-Key",
      description: "The same key, without a scheme.",
    },
    ...(cookie === undefined ? {} : { cookie: { ...cookie, type: "apiKey", in: "cookie" } }),
  };
  if (routes.every(({ access }) => access !== "link")) return schemes;
  const description =
    "The signature of a link from the service, together with its `expires` parameter.";
  return { ...schemes, link: { type: "apiKey", in: "query", name: "signature", description } };
}

const TEXT = { type: "string" } as const;

const PARAMETERS: Record<string, oas31.ParameterObject> = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "A request repeated with the same key within 24 hours takes effect only once; the first response is replayed.",
    schema: { ...TEXT, pattern: "^[\\x21-\\x7e]{1,255}$" },
  },
  "Request-Id": {
    name: "Request-Id",
    in: "header",
    required: false,
    description:
      "Returned in the response if it has the required form; otherwise one is generated.",
    schema: TEXT,
    example: "0198c0de-0000-7000-8000-000000000001",
  },
};

const HEADERS: Record<string, oas31.HeaderObject> = {
  "Request-Id": {
    description: "The id to quote when reporting a problem",
    required: true,
    schema: { ...TEXT, pattern: "^[A-Za-z0-9_-]{8,64}$" },
  },
  Location: { description: "URL of the created resource", required: true, schema: TEXT },
  Link: { description: "The next page, if there is one", schema: TEXT },
  "Idempotency-Replayed": {
    description: "`true` if this is the response to an earlier request with the same key",
    schema: { ...TEXT, const: "true" },
  },
  "Cache-Control": {
    description: "`no-store`: the response contains a secret or private data",
    required: true,
    schema: TEXT,
  },
  "Retry-After": {
    description: "Seconds to wait before trying again",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
};

const LIMIT_HEADERS: Record<string, oas31.HeaderObject> = {
  RateLimit: {
    description: "Remaining requests, and when more are available (IETF draft)",
    schema: TEXT,
  },
  "RateLimit-Policy": {
    description: "Requests per window (IETF draft)",
    schema: TEXT,
  },
};

/** Gives each parameter the description of its schema, which zod-openapi does not where the value is transformed. */
function describeParameters(document: oas31.OpenAPIObject): void {
  for (const { parameters = [] } of operationsOf(document)) {
    for (const parameter of parameters) {
      if ("$ref" in parameter || parameter.description !== undefined) continue;
      const { description } = parameter.schema as oas31.SchemaObject;
      if (description !== undefined) parameter.description = description;
    }
  }
}

type Schemas = NonNullable<oas31.ComponentsObject["schemas"]>;

/**
 * Makes a component of each JSON body that has no name, because a generator would invent one: `CreateThingRequest`,
 * `CreateThingResponse`, and `ThingList` for a page of things. A form has none: generators make parameters of its fields.
 */
function nameBodies(document: oas31.OpenAPIObject): void {
  const schemas: Schemas = ((document.components ??= {}).schemas ??= {});
  for (const operation of operationsOf(document)) {
    const name = capitalized(operation.operationId ?? "");
    const { requestBody } = operation;
    if (requestBody !== undefined && "content" in requestBody) {
      nameContent(schemas, requestBody.content["application/json"], () => `${name}Request`);
    }
    for (const { content = {} } of responsesOf(operation)) {
      nameContent(
        schemas,
        content["application/json"],
        (schema) => listName(schema) ?? `${name}Response`,
      );
    }
  }
}

function nameContent(
  schemas: Schemas,
  content: oas31.MediaTypeObject | undefined,
  nameOf: (schema: oas31.SchemaObject) => string,
): void {
  if (content?.schema === undefined || "$ref" in content.schema) return;
  const name = nameOf(content.schema);
  const known = schemas[name];
  // The same page may be the response of several operations.
  if (known !== undefined && !isDeepStrictEqual(known, content.schema)) return;
  schemas[name] = content.schema;
  content.schema = { $ref: `${COMPONENT}${name}` };
}

function listName({ properties = {} }: oas31.SchemaObject): string | null {
  const fields = new Map(Object.entries(properties));
  const data = fields.get("data");
  if (data === undefined || !("items" in data) || !fields.has("has_more")) return null;
  const { items } = data;
  if (!("$ref" in items)) return null;
  return `${items.$ref.slice(COMPONENT.length)}List`;
}
