import { z } from "zod";

const parameter = z.looseObject({
  $ref: z.string().optional(),
  name: z.string().default(""),
  description: z.string().optional(),
});
const content = z.record(z.string(), z.looseObject({ schema: z.unknown() }));
const operation = z.looseObject({
  summary: z.string(),
  description: z.string().default(""),
  parameters: z.array(parameter).default([]),
  requestBody: z.looseObject({ content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: content.default({}) })),
});
const items = z.record(z.string(), z.record(z.string(), operation));
const documentShape = z.looseObject({
  paths: items,
  webhooks: items.default({}),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    parameters: z.record(z.string(), parameter),
  }),
});
type Document = z.output<typeof documentShape>;
type Operation = z.output<typeof operation>;

/** What of a document has no description: operations, parameters, components, and properties at any depth. */
export function undescribedParts(document: object): string[] {
  const read = documentShape.parse(document);
  const all = [...Object.entries(read.paths), ...Object.entries(read.webhooks)];
  const inOperations = all.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, one]) => inOperation(read, `${method} ${path}`, one)),
  );
  const inComponents = Object.entries(read.components.schemas).flatMap(([name, schema]) => [
    ...(descriptionOf(schema) === "" && !isBody(name) ? [name] : []),
    ...inSchema(schema, name),
  ]);
  return [...inOperations, ...inComponents];
}

/** Named after its operation, which is described. */
function isBody(component: string): boolean {
  return /(Request|Response|Form|List)$/.test(component);
}

/** The paragraph that every operation of the desk has. */
const ROLE = /\s*Needs the role `\w+`, or one that includes it\.$/;

function inOperation(document: Document, place: string, one: Operation): string[] {
  const own = one.description.replace(ROLE, "");
  const says = own !== "" && own !== `${one.summary}.`;
  const parameters = one.parameters
    .map(({ $ref, ...inline }) => document.components.parameters[nameOf($ref)] ?? inline)
    .filter(({ description = "" }) => description === "")
    .map(({ name }) => `${place} ?${name}`);
  const contents = [
    one.requestBody?.content ?? {},
    ...Object.values(one.responses).map((response) => response.content),
  ];
  const bodies = contents.flatMap((types) =>
    Object.entries(types).flatMap(([type, { schema }]) => inSchema(schema, `${place} ${type}`)),
  );
  return [...(says ? [] : [place]), ...parameters, ...bodies];
}

function nameOf($ref = ""): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  description: z.string().default(""),
  properties: z.record(z.string(), z.unknown()).default({}),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
  allOf: z.array(z.unknown()).default([]),
});

function descriptionOf(schema: unknown): string {
  return schemaShape.safeParse(schema).data?.description ?? "";
}

/** A reference is described by what it refers to, also where null is its alternative. */
function isDescribed(value: unknown): boolean {
  const schema = schemaShape.safeParse(value).data;
  if (schema === undefined) return false;
  const { $ref, description, anyOf } = schema;
  return description !== "" || $ref !== undefined || anyOf.some((one) => refOf(one) !== undefined);
}

function refOf(schema: unknown): string | undefined {
  return schemaShape.safeParse(schema).data?.$ref;
}

function inSchema(value: unknown, place: string): string[] {
  const schema = schemaShape.safeParse(value).data;
  if (schema === undefined || schema.$ref !== undefined) return [];
  const { properties, anyOf, allOf } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(isDescribed(field) ? [] : [`${place}.${name}`]),
      ...inSchema(field, `${place}.${name}`),
    ]),
    ...inSchema(schema.items, `${place}[]`),
    ...[...anyOf, ...allOf].flatMap((one) => inSchema(one, place)),
  ];
}
