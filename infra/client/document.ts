import { COMPONENT } from "../../services/platform/openapi/operation-id.ts";

/** The parts of a JSON schema that the API's document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly format?: string;
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
  readonly name?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content }>
  >;
}

/** The parts of an OpenAPI document that clients are made from. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation that is called with a key, and where. */
export interface CustomerOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

/** The name of the component that a schema refers to. */
export function componentOf(schema: Schema | undefined): string | null {
  return schema?.$ref?.startsWith(COMPONENT) === true ? schema.$ref.slice(COMPONENT.length) : null;
}

/** The operations that a key can call, in the document's order: neither health nor a browser's session. */
export function customerOperations({ paths }: ApiDocument): CustomerOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security = [] }]) => security.length > 0)
      .map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
}

/** The parameters of one kind. */
export function parametersOf({ parameters = [] }: Operation, kind: string): Parameter[] {
  return parameters.filter((parameter) => parameter.in === kind);
}

/** The content of the operation's success. */
export function successOf({ responses }: Operation): Content {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  return success?.content ?? {};
}
