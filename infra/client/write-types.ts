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
import { docComment, fieldsOf, referencesOf, typeOf } from "./schema-type.ts";

/** `listPortingOrders` → `ListPortingOrdersQuery`. */
export function queryName({ operationId }: CustomerOperation): string {
  return `${capitalized(operationId)}Query`;
}

/** `updatePortingOrderRequirement` → `UpdatePortingOrderRequirementForm`. */
export function formName({ operationId }: CustomerOperation): string {
  return `${capitalized(operationId)}Form`;
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** The types of everything that a customer sends and gets, in one module. */
export function writeTypes(document: ApiDocument): string {
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
