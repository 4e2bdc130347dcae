import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { z } from "zod";
import { projectRoot } from "../../../infra/project-root.ts";

const schemas = z
  .record(z.string(), z.strictObject({ source: z.string(), schema: z.unknown() }))
  .parse(
    JSON.parse(
      readFileSync(
        join(projectRoot, "test", "kubernetes", "custom-resources", "schemas.json"),
        "utf8",
      ),
    ),
  );

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
const compiled = new Map<string, ValidateFunction>();

const resource = z.looseObject({ apiVersion: z.string(), kind: z.string() });

/** Whether the kind of a resource is one that an operator defines, and whose schema is here. */
export function isCustom(document: unknown): boolean {
  return kindOf(document) in schemas;
}

/** `group/version Kind`. */
export function kindOf(document: unknown): string {
  const { apiVersion, kind } = resource.parse(document);
  return `${apiVersion} ${kind}`;
}

/** What is wrong with a custom resource by its operator's schema, a line for each fault; unknown fields are faults. */
export function customFaultsOf(document: unknown): string[] {
  const kind = kindOf(document);
  const known = schemas[kind];
  if (known === undefined) throw new TypeError(`there is no schema of ${kind}`);
  const validate = compiled.get(kind) ?? ajv.compile(closed(known.schema) as object);
  compiled.set(kind, validate);
  if (validate(document)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath} ${message ?? ""} ${JSON.stringify(params)}`,
  );
}

/** A schema in which an object has no other fields than those named: the API server would drop them. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const inner = Object.fromEntries(
    Object.entries(node)
      .filter(isOfJavaScript)
      .map(([name, value]) => [name, name === "properties" ? closedEach(value) : closed(value)]),
  );
  const isOpen =
    inner["type"] !== "object" ||
    inner["properties"] === undefined ||
    inner["additionalProperties"] !== undefined ||
    inner["x-kubernetes-preserve-unknown-fields"] === true;
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

/** False for a pattern with a flag inside, which Go knows and JavaScript does not. */
function isOfJavaScript([name, value]: [string, unknown]): boolean {
  return name !== "pattern" || !String(value).includes("(?i)");
}

function closedEach(properties: unknown): unknown {
  return Object.fromEntries(
    Object.entries(properties as object).map(([name, schema]) => [name, closed(schema)]),
  );
}
