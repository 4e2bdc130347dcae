import type { oas31 } from "zod-openapi";
import { operationsOf } from "./operations-of.ts";

/** Gives each parameter the description of its schema, which zod-openapi does not where the value is transformed. */
export function describeParameters(document: oas31.OpenAPIObject): void {
  for (const { parameters = [] } of operationsOf(document)) {
    for (const parameter of parameters) {
      if ("$ref" in parameter || parameter.description !== undefined) continue;
      const { description } = parameter.schema as oas31.SchemaObject;
      if (description !== undefined) parameter.description = description;
    }
  }
}
