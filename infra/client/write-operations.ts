import {
  componentOf,
  customerOperations,
  parametersOf,
  successOf,
  type ApiDocument,
  type CustomerOperation,
} from "./document.ts";
import { docComment, typeOf } from "./schema-type.ts";
import { formName, queryName } from "./write-types.ts";

const HEAD = `import type { CallOptions, Caller } from "../call/caller.ts";
import type { Paged } from "../call/paged.ts";
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
export function writeOperations(document: ApiDocument): string {
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

function answerOf(document: ApiDocument, operation: CustomerOperation) {
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
