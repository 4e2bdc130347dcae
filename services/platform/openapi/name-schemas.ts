import { isDeepStrictEqual } from "node:util";
import type { oas31 } from "zod-openapi";
import { COMPONENT } from "./component.ts";
import { capitalized } from "./operation-id.ts";
import { operationsOf, responsesOf } from "./operations-of.ts";

type Schemas = NonNullable<oas31.ComponentsObject["schemas"]>;

/**
 * Makes a component of each JSON body that has no name, because a generator would invent one: `CreateThingRequest`,
 * `CreateThingResponse`, and `ThingList` for a page of things. A form has none: generators make parameters of its fields.
 */
export function nameBodies(document: oas31.OpenAPIObject): void {
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
