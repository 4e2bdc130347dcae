import {
  componentOf,
  customerOperations,
  parametersOf,
  successOf,
  type ApiDocument,
  type CustomerOperation,
  type Parameter,
  type Schema,
} from "./document.ts";

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** Keeps the known values in an editor's suggestions, where plain `string` would swallow them. */
const ANY_OTHER_TEXT = "(string & {})";

/** The TypeScript type of a JSON schema. */
export function typeOf(schema: Schema, indent = ""): string {
  const component = componentOf(schema);
  if (component !== null) return component;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return unionOf(alternatives, indent);
  if (schema.allOf !== undefined) {
    return schema.allOf.map((part) => grouped(typeOf(part, indent))).join(" & ");
  }
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return union(types.map((type) => plainType(type, schema, indent)));
}

function unionOf(alternatives: readonly Schema[], indent: string): string {
  const isOpen = alternatives.some((one) => one.enum !== undefined);
  return union(
    alternatives.map((one) => (isOpen && isAnyText(one) ? ANY_OTHER_TEXT : typeOf(one, indent))),
  );
}

function isAnyText(schema: Schema): boolean {
  return schema.type === "string" && schema.enum === undefined && schema.const === undefined;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function grouped(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type;
}

function plainType(type: string, schema: Schema, indent: string): string {
  if (type === "array") return `readonly ${grouped(typeOf(schema.items ?? {}, indent))}[]`;
  if (type === "object") return objectType(schema, indent);
  if (schema.format === "binary") return "Blob";
  const primitive = PRIMITIVES[type];
  if (primitive === undefined) throw new Error(`no TypeScript type for the JSON type ${type}`);
  return primitive;
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, additionalProperties } = schema;
  const isOpen = typeof additionalProperties === "object" || additionalProperties === true;
  const more =
    typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown";
  const record = `Readonly<Record<string, ${more}>>`;
  if (Object.keys(properties).length === 0)
    return isOpen ? record : "Readonly<Record<string, never>>";
  const fields = fieldsOf(schema, indent);
  return isOpen ? `${fields} & ${record}` : fields;
}

/** `{ … }` with a line for each property. */
function fieldsOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, inner);
    const field = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${docComment(schema.description, inner)}${inner}readonly ${field};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

/** Empty where there is nothing to say. */
function docComment(text: string | undefined, indent: string): string {
  if (text === undefined || text === "") return "";
  return `${indent}/** ${text.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/")} */\n`;
}

/** The components that a schema refers to itself. */
export function referencesOf(schema: Schema): string[] {
  const component = componentOf(schema);
  const {
    anyOf = [],
    oneOf = [],
    allOf = [],
    items,
    properties = {},
    additionalProperties,
  } = schema;
  const parts = [...anyOf, ...oneOf, ...allOf, ...Object.values(properties)];
  if (items !== undefined) parts.push(items);
  if (typeof additionalProperties === "object") parts.push(additionalProperties);
  return [...(component === null ? [] : [component]), ...parts.flatMap(referencesOf)];
}

const HEAD = `import type { Caller, CallOptions, Paged } from "../caller.ts";
import type * as Api from "./api-types.ts";

/** A method for each operation of the API. */
export class Operations {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
`;

/** How an operation is called: what its method takes and returns. */
interface Call {
  readonly parameters: readonly string[];
  readonly request: readonly string[];
}

/** The class with a method for each operation that a key can call; a stream has none. */
function writeOperations(document: ApiDocument): string {
  const methods = customerOperations(document)
    .filter((operation) => successOf(operation)["text/event-stream"] === undefined)
    .map((operation) => writeMethod(document, operation));
  return `${HEAD}\n${methods.join("\n")}}\n`;
}

function writeMethod(document: ApiDocument, operation: CustomerOperation): string {
  const { operationId, summary } = operation;
  const { parameters, request } = callOf(operation);
  const { by, type } = answerOf(document, operation);
  const given = [...parameters, "options?: CallOptions"].join(", ");
  return [
    docComment(`${summary}.`, "  ").trimEnd(),
    `  ${operationId}(${given}): ${type} {`,
    `    return this.caller.${by}({ ${request.join(", ")} }, options);`,
    "  }\n",
  ].join("\n");
}

function callOf(operation: CustomerOperation): Call {
  const ids = parametersOf(operation, "path").map(({ name = "" }) => name);
  const path = operation.path.replaceAll(
    /\{([a-z_]+)\}/g,
    (_, name: string) => `\${encodeURIComponent(${camel(name)})}`,
  );
  const quote = ids.length === 0 ? '"' : "`";
  const query = parametersOf(operation, "query");
  const body = bodyOf(operation);
  return {
    parameters: [
      ...ids.map((name) => `${camel(name)}: string`),
      ...(body === null ? [] : [body]),
      ...(query.length === 0 ? [] : [queryOf(operation)]),
    ],
    request: [
      `method: "${operation.method}"`,
      `path: ${quote}${path}${quote}`,
      ...(body === null ? [] : ["body"]),
      ...(query.length === 0 ? [] : ["query"]),
    ],
  };
}

function queryOf(operation: CustomerOperation): string {
  const isNeeded = parametersOf(operation, "query").some(({ required }) => required === true);
  return `query: Api.${queryName(operation)}${isNeeded ? "" : " = {}"}`;
}

/** The parameter for the body: JSON, or a form. */
function bodyOf(operation: CustomerOperation): string | null {
  const { requestBody } = operation;
  if (requestBody === undefined) return null;
  const json = requestBody.content["application/json"]?.schema;
  const types = [
    ...(json === undefined ? [] : [named(typeOf(json))]),
    ...("multipart/form-data" in requestBody.content ? [named(formName(operation))] : []),
  ];
  return `body: ${types.join(" | ")}${requestBody.required === true ? "" : " = {}"}`;
}

/** How the client reads an operation's success, and the type that it returns. */
export function answerOf(document: ApiDocument, operation: CustomerOperation) {
  const content = successOf(operation);
  const json = content["application/json"]?.schema;
  if (json === undefined) {
    const isFile = Object.keys(content).length > 0;
    return isFile
      ? { by: "bytes", type: "Promise<Uint8Array>" }
      : { by: "nothing", type: "Promise<void>" };
  }
  const name = componentOf(json) ?? "";
  const item = componentOf(document.components.schemas[name]?.properties?.["data"]?.items);
  const isPaged = parametersOf(operation, "query").some((one) => one.name === "starting_after");
  if (isPaged && item !== null) return { by: "list", type: `Paged<${named(item)}>` };
  return { by: "json", type: `Promise<${named(typeOf(json))}>` };
}

/** Components and bodies are declared in the module of types. */
function named(type: string): string {
  return `Api.${type}`;
}

/** `phone_number` → `phoneNumber`. */
function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const NOTE = "// Made from the API's OpenAPI document by `npm run client`; do not edit.\n\n";

/** The folder of the files that are made. */
export const GENERATED = "packages/client/generated";

/** The generated part of the client, by file name. */
export function clientFiles(document: object): ReadonlyMap<string, string> {
  const api = document as ApiDocument;
  return new Map([
    ["api-types.ts", NOTE + writeTypes(api)],
    ["operations.ts", NOTE + writeOperations(api)],
  ]);
}

/** `listPortingOrders` → `ListPortingOrdersQuery`. */
function queryName({ operationId }: CustomerOperation): string {
  return `${capitalized(operationId)}Query`;
}

/** `updatePortingOrderRequirement` → `UpdatePortingOrderRequirementForm`. */
function formName({ operationId }: CustomerOperation): string {
  return `${capitalized(operationId)}Form`;
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** The types of everything that a customer sends and gets, in one module. */
function writeTypes(document: ApiDocument): string {
  const operations = customerOperations(document);
  const { schemas } = document.components;
  const components = reachable(document, operations)
    .toSorted()
    .map((name) => declaration(name, schemas[name] ?? {}));
  return [
    ...components,
    ...operations.flatMap(queryDeclaration),
    ...operations.flatMap(formDeclaration),
    webhooksDeclaration(document),
  ].join("\n");
}

/** The components that operations and webhooks use, and those that these use. */
function reachable(document: ApiDocument, operations: readonly CustomerOperation[]): string[] {
  const { schemas } = document.components;
  const found = new Set<string>();
  const visit = (schema: Schema): void => {
    for (const name of referencesOf(schema)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name] ?? {});
    }
  };
  visit({ $ref: "#/components/schemas/Problem" });
  const webhooks = Object.values(document.webhooks).map(({ post }) => post);
  for (const operation of [...operations, ...webhooks]) {
    const contents = [operation.requestBody?.content ?? {}, successOf(operation)];
    contents.flatMap((content) => Object.values(content)).forEach(({ schema }) => visit(schema));
    (operation.parameters ?? []).forEach((parameter) => visit(parameter.schema ?? {}));
  }
  return [...found];
}

function declaration(name: string, schema: Schema): string {
  const doc = docComment(schema.description, "");
  const isPlainObject =
    Object.keys(schema.properties ?? {}).length > 0 &&
    (schema.additionalProperties ?? false) === false;
  if (isPlainObject) return `${doc}export interface ${name} ${fieldsOf(schema, "")}\n`;
  return `${doc}export type ${name} = ${typeOf(schema)};\n${valuesDeclaration(name, schema)}`;
}

/** The known values of an enumeration, for programs that offer or check them. */
function valuesDeclaration(name: string, { anyOf = [] }: Schema): string {
  const values = anyOf.find((one) => one.enum !== undefined)?.enum;
  if (values === undefined) return "";
  return `\n${constant(`${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()}_VALUES`, values)}`;
}

function constant(name: string, values: readonly unknown[]): string {
  const lines = values.map((value) => `  ${JSON.stringify(value)},\n`);
  return `export const ${name} = [\n${lines.join("")}] as const;\n`;
}

function queryDeclaration(operation: CustomerOperation): string[] {
  const query = parametersOf(operation, "query");
  if (query.length === 0) return [];
  const required = query.filter((one) => one.required === true).map(({ name = "" }) => name);
  const properties = Object.fromEntries(query.map(toProperty));
  const doc = docComment(`What \`${operation.operationId}\` can be asked for`, "");
  return [
    `${doc}export interface ${queryName(operation)} ${fieldsOf({ properties, required }, "")}\n`,
  ];
}

function toProperty({ name = "", description, schema = {} }: Parameter): [string, Schema] {
  return [name, description === undefined ? schema : { ...schema, description }];
}

function formDeclaration(operation: CustomerOperation): string[] {
  const form = operation.requestBody?.content["multipart/form-data"]?.schema;
  if (form === undefined) return [];
  const doc = docComment(`A file, and what \`${operation.operationId}\` takes with it`, "");
  return [`${doc}export interface ${formName(operation)} ${fieldsOf(form, "")}\n`];
}

function webhooksDeclaration({ webhooks }: ApiDocument): string {
  const types = Object.keys(webhooks);
  const lines = Object.entries(webhooks).map(([type, { post }]) => {
    const body = componentOf(post.requestBody?.content["application/json"]?.schema);
    return `  readonly ${JSON.stringify(type)}: ${body ?? "never"};\n`;
  });
  const doc = docComment("The bodies of webhooks by event type", "");
  return `${doc}export interface Webhooks {\n${lines.join("")}}\n\n${constant("EVENT_TYPES", types)}`;
}
