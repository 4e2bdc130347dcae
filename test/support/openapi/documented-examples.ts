import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { addFormats, encodeStep } from "./document-schemas.ts";

const content = z.record(
  z.string(),
  z.looseObject({ schema: z.unknown(), example: z.unknown().optional() }),
);
const documentShape = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        requestBody: z.looseObject({ content }).optional(),
        responses: z.record(z.string(), z.looseObject({ content: content.optional() })),
      }),
    ),
  ),
});

interface Body {
  readonly place: string;
  readonly schema: unknown;
  readonly example?: unknown;
  /** The path from the document's root. */
  readonly steps: readonly string[];
}

const JSON_TYPE = "application/json";

function jsonAnswersOf(document: unknown): Body[] {
  const { paths } = documentShape.parse(document);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, answer]) => {
        const found = answer.content?.[JSON_TYPE];
        if (found === undefined) return [];
        const steps = ["paths", path, method, "responses", status, "content", JSON_TYPE, "schema"];
        return [{ ...found, place: `${method} ${path} ${status}`, steps }];
      }),
    ),
  );
}

function jsonRequestsOf(document: unknown): Body[] {
  const { paths } = documentShape.parse(document);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const found = requestBody?.content[JSON_TYPE];
      if (found === undefined) return [];
      const steps = ["paths", path, method, "requestBody", "content", JSON_TYPE, "schema"];
      return [{ ...found, place: `${method} ${path}`, steps }];
    }),
  );
}

/** For each JSON request and answer: that it has no example, or why its example is invalid. */
export function exampleFaults(document: object): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, "api");
  const all = [...jsonRequestsOf(document), ...jsonAnswersOf(document)];
  return all.flatMap(({ place, example, steps }) => {
    if (example === undefined) return [`${place} has no example`];
    const validate = ajv.compile({ $ref: `api#/${steps.map(encodeStep).join("/")}` });
    return validate(example) ? [] : [`${place}: ${ajv.errorsText(validate.errors)}`];
  });
}

const NAMED = "#/components/schemas/";
const componentsShape = z.looseObject({
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  items: z.unknown().optional(),
});
/** Each of these describes a text or an open object well enough. */
const DESCRIPTIVE = ["examples", "format", "enum", "const", "anyOf", "allOf"];

/** Texts, and objects without fields of their own, that the document leaves undescribed. */
export function undescribedTexts(document: object): string[] {
  const { schemas } = componentsShape.parse(document).components;
  const seen = new Set<string>();
  const walk = (value: unknown, place: string): string[] => {
    const schema = schemaShape.safeParse(value).data;
    if (schema === undefined) return [];
    const { $ref, type, properties, items } = schema;
    if ($ref !== undefined) {
      if (seen.has($ref)) return [];
      seen.add($ref);
      return walk(schemas[$ref.slice(NAMED.length)], $ref.slice(NAMED.length));
    }
    const isOpen = type === "object" && Object.keys(properties).length === 0;
    if ((type === "string" || isOpen) && !DESCRIPTIVE.some((key) => key in schema)) return [place];
    return [
      ...Object.entries(properties).flatMap(([name, field]) => walk(field, `${place}.${name}`)),
      ...walk(items, `${place}[]`),
    ];
  };
  return jsonAnswersOf(document).flatMap(({ schema, place }) => walk(schema, place));
}
