import { z } from "zod";

const parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  schema: z.looseObject({ examples: z.array(z.unknown()).optional() }).optional(),
  example: z.unknown().optional(),
});
const json = z.looseObject({
  schema: z.looseObject({ examples: z.array(z.unknown()).optional() }).optional(),
  example: z.unknown().optional(),
});
const described = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        parameters: z.array(z.union([parameter, z.looseObject({ $ref: z.string() })])).default([]),
        requestBody: z
          .looseObject({ content: z.looseObject({ "application/json": json.optional() }) })
          .optional(),
      }),
    ),
  ),
});

/** What a document shows as a request: the JSON body of an operation, or one query parameter. */
export interface RequestExample {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
}

/** Every example of a JSON body and of a query parameter, each as a request of its own. */
export function requestExamplesOf(document: unknown): RequestExample[] {
  const { paths } = described.parse(document);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters, requestBody }]) => {
      const at = { method: method.toUpperCase(), path };
      const inQuery = parameters.flatMap((one) => parameter.safeParse(one).data ?? []);
      const queries = inQuery
        .filter((one) => one.in === "query")
        .flatMap((one) => examplesOf(one).map((value) => `${one.name}=${encode(value)}`));
      const bodies = examplesOf(requestBody?.content["application/json"] ?? {});
      return [
        ...queries.map((query) => ({ ...at, query, body: undefined })),
        ...bodies.map((body) => ({ ...at, query: "", body })),
      ];
    }),
  );
}

function examplesOf({ schema, example }: z.infer<typeof json>): unknown[] {
  return [...(example === undefined ? [] : [example]), ...(schema?.examples ?? [])];
}

const encode = (value: unknown): string => encodeURIComponent(String(value));
