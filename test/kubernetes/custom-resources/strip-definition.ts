import { z } from "zod";

const definition = z.looseObject({
  spec: z.looseObject({
    group: z.string(),
    names: z.looseObject({ kind: z.string() }),
    versions: z.array(
      z.looseObject({
        name: z.string(),
        storage: z.boolean(),
        schema: z.looseObject({ openAPIV3Schema: z.unknown() }),
      }),
    ),
  }),
});

/** What an operator decides by a program of its own, or only says. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "default",
  "description",
  "example",
  "title",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-validations",
]);

/** The kind that a CustomResourceDefinition defines, `group/version Kind`, and its schema without descriptions. */
export function stripDefinition(parsed: unknown): { kind: string; schema: unknown } {
  const { group, names, versions } = definition.parse(parsed).spec;
  const stored = versions.find(({ storage }) => storage);
  if (stored === undefined) throw new TypeError(`${names.kind} has no version that is stored`);
  return {
    kind: `${group}/${stored.name} ${names.kind}`,
    schema: strip(stored.schema.openAPIV3Schema),
  };
}

function strip(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strip);
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(
    // The names of properties are an author's own, and may be any of the above.
    kept.map(([name, value]) => [name, name === "properties" ? stripEach(value) : strip(value)]),
  );
}

function stripEach(properties: unknown): unknown {
  const named = Object.entries(properties as object).filter(([name]) => name !== "status");
  return Object.fromEntries(named.map(([name, schema]) => [name, strip(schema)]));
}
