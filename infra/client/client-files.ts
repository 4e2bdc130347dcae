import type { ApiDocument } from "./document.ts";
import { writeOperations } from "./write-operations.ts";
import { writeTypes } from "./write-types.ts";

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
