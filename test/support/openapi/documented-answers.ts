import { isDeepStrictEqual } from "node:util";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { z } from "zod";
import { addFormats } from "./document-schemas.ts";

const PROBLEM_TYPE = "application/problem+json";

/** An answer that `call` checks against the document. */
export interface SeenAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: unknown;
}

const contentShape = z.record(
  z.string(),
  z.looseObject({
    schema: z.unknown(),
    examples: z.record(z.string(), z.unknown()).optional(),
  }),
);
const documentShape = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        responses: z.record(z.string(), z.looseObject({ content: contentShape.optional() })),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
const problemShape = z.looseObject({ code: z.string() });
type Document = z.output<typeof documentShape>;
type Content = z.output<typeof contentShape>[string];

const COMPONENT = "#/components/schemas/";

/** Checks answers of one listener against the document that it serves. */
class Contract {
  readonly #document: Document;
  /** Most tests see few answers: a schema is added when one needs it. The document's own tests check all. */
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    meta: false,
    validateSchema: false,
  });
  readonly #paths: readonly { readonly template: string; readonly matches: RegExp }[];
  readonly #validators = new Map<Content, ValidateFunction>();
  readonly #components = new Set<string>();

  constructor(document: Document) {
    this.#document = document;
    addFormats(this.#ajv);
    this.#paths = Object.keys(document.paths)
      .sort((a, b) => a.split("{").length - b.split("{").length)
      .map((template) => ({ template, matches: patternOf(template) }));
  }

  /** Why the answer is not documented; null where it is. */
  fault({ method, url, status, contentType, body }: SeenAnswer): string | null {
    const { pathname } = new URL(url);
    const operation = this.#operation(method.toLowerCase(), pathname);
    // A request that is not an operation is refused; the document does not describe such answers.
    if (operation === null) return null;
    const place = `${method} ${operation.template} ${status}`;
    const answer = operation.responses[String(status)];
    if (answer === undefined) return `${place} is not documented`;
    if (body === null) return answer.content === undefined ? null : `${place} has no body`;
    const [type = ""] = (contentType ?? "").split(";");
    const content = answer.content?.[type];
    if (content === undefined) return `${place} as ${type} is not documented`;
    if (type === PROBLEM_TYPE) {
      const { code } = problemShape.parse(body);
      if (!(code in (content.examples ?? {}))) return `${place} ${code} is not documented`;
    }
    const validate = this.#validator(content);
    return validate(body) ? null : `${place}: ${this.#ajv.errorsText(validate.errors)}`;
  }

  #operation(method: string, path: string) {
    for (const { template, matches } of this.#paths) {
      const operation = matches.test(path) ? this.#document.paths[template]?.[method] : undefined;
      if (operation !== undefined) return { template, responses: operation.responses };
    }
    return null;
  }

  #validator(content: Content): ValidateFunction {
    const known = this.#validators.get(content);
    if (known !== undefined) return known;
    const made = this.#ajv.compile(this.#closed(content.schema, "schema"));
    this.#validators.set(content, made);
    return made;
  }

  /** Its references name the document's schemas, which are added as they are met. */
  #closed(schema: unknown, name: string): Readonly<Record<string, unknown>> {
    const text = JSON.stringify(closed(schema, name));
    const refer = (key: string, value: unknown): unknown =>
      key === "$ref" ? this.#added(String(value).replace(COMPONENT, "")) : value;
    return asObject(JSON.parse(text, refer));
  }

  #added(name: string): string {
    if (!this.#components.has(name)) {
      this.#components.add(name);
      this.#ajv.addSchema(this.#closed(this.#document.components.schemas[name], name), name);
    }
    return name;
  }
}

function patternOf(template: string): RegExp {
  const literal = template.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll(/\{[^}]*\}/g, "[^/]+")}$`);
}

/**
 * The document lets answers gain fields and values; here an undocumented field is a fault, and a value that an open
 * enumeration does not list. A schema inside allOf stays open, because its siblings describe the rest.
 */
function closed(value: unknown, inside: string): unknown {
  if (Array.isArray(value)) {
    const isOpenEnum = inside === "anyOf" && value.some((one: unknown) => "enum" in asObject(one));
    const known = isOpenEnum ? value.filter((one) => !isAnyString(one)) : value;
    return known.map((one: unknown) => closed(one, inside));
  }
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, closed(v, k)]));
  const isOpen = "properties" in value && "type" in value && !("additionalProperties" in value);
  return isOpen && inside !== "allOf" ? { ...inner, unevaluatedProperties: false } : inner;
}

function isAnyString(schema: unknown): boolean {
  return isDeepStrictEqual(schema, { type: "string" });
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const contracts = new Map<string, Promise<Contract | null>>();

/** The contract of a listener; null where it serves no document: a partial API assembled by a test. */
async function contractOf(origin: string): Promise<Contract | null> {
  const answer = await fetch(`${origin}/openapi.json`);
  if (!answer.ok) {
    await answer.body?.cancel();
    return null;
  }
  return new Contract(documentShape.parse(await answer.json()));
}

/** @throws where the answer does not match the listener's own OpenAPI document */
export async function expectDocumented(answer: SeenAnswer): Promise<void> {
  const { origin } = new URL(answer.url);
  let contract = contracts.get(origin);
  if (contract === undefined) {
    contract = contractOf(origin);
    contracts.set(origin, contract);
    contract.catch(() => contracts.delete(origin));
  }
  const fault = (await contract)?.fault(answer) ?? null;
  if (fault !== null)
    throw new Error(`Not as documented: ${fault}: ${JSON.stringify(answer.body)}`);
}
