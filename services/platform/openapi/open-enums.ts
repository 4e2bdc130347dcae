import type { oas31 } from "zod-openapi";
import { COMPONENT, operationsOf, responsesOf } from "./operation-id.ts";

/** The parts of a schema that may hold other schemas. */
interface Schema {
  type?: unknown;
  enum?: readonly unknown[];
  readonly $ref?: string;
  anyOf?: Schema[];
  readonly oneOf?: Schema[];
  readonly allOf?: Schema[];
  readonly items?: Schema;
  readonly properties?: Record<string, Schema>;
}

/**
 * Opens the enumerations of responses, because later versions may add values: any of the known ones, or another
 * string. Those of requests stay closed, since an unknown value there is refused.
 */
export function openEnums(document: oas31.OpenAPIObject): void {
  const opened = new Set<Schema>();
  const named: Readonly<Record<string, Schema>> = document.components?.schemas ?? {};
  const open = (schema: Schema | undefined): void => {
    if (schema === undefined || opened.has(schema)) return;
    opened.add(schema);
    if (schema.$ref !== undefined) open(named[schema.$ref.slice(COMPONENT.length)]);
    openOne(schema);
    for (const part of partsOf(schema)) open(part);
  };
  for (const response of operationsOf(document).flatMap(responsesOf)) {
    for (const { schema } of Object.values(response.content ?? {})) open(schema);
  }
}

function openOne(schema: Schema): void {
  if (isOpen(schema)) return;
  const { anyOf } = schema;
  if (anyOf !== undefined) {
    schema.anyOf = anyOf.flatMap((one) => {
      const values = valuesOf(one);
      return values === null ? [one] : openEnum(values);
    });
  }
  const values = valuesOf(schema);
  if (values === null) return;
  schema.anyOf = openEnum(values);
  delete schema.type;
  delete schema.enum;
}

/** Whether it was opened before; its alternatives are not enumerations of their own. */
function isOpen({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type, enum: values }) => type === "string" && values === undefined);
}

/** The values of a closed enumeration; null for any other schema. */
function valuesOf(schema: Schema): readonly unknown[] | null {
  return schema.type === "string" && schema.enum !== undefined ? schema.enum : null;
}

/** The alternatives of an open enumeration; generated parsers try the first one first. */
export function openEnum(values: readonly unknown[]): Schema[] {
  return [{ type: "string", enum: values }, { type: "string" }];
}

function partsOf(schema: Schema): Schema[] {
  const { anyOf = [], oneOf = [], allOf = [], items, properties = {} } = schema;
  const all = [...(isOpen(schema) ? [] : anyOf), ...oneOf, ...allOf, ...Object.values(properties)];
  return items === undefined ? all : [...all, items];
}
