import type { oas31 } from "zod-openapi";

/** The operations of all paths. */
export function operationsOf({ paths = {} }: oas31.OpenAPIObject): oas31.OperationObject[] {
  return Object.values(paths)
    .flatMap(({ get, post, put, patch, delete: remove }) => [get, post, put, patch, remove])
    .filter((operation) => operation !== undefined);
}

/** The responses of an operation. */
export function responsesOf({ responses = {} }: oas31.OperationObject): oas31.ResponseObject[] {
  return Object.values<oas31.ResponseObject>(responses);
}
