import { z } from "zod";

interface Described {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The properties of POST bodies that may be left out and have no default then, each with a name and its schema. */
export function mayBeAbsent(routes: readonly Described[]): (readonly [string, z.ZodType])[] {
  return routes.flatMap(({ method, path, body }) => {
    if (method !== "POST" || !(body instanceof z.ZodObject)) return [];
    const properties = Object.entries<z.ZodType>(body.shape);
    return properties.flatMap(([name, schema]) => {
      const absent = schema.safeParse(undefined);
      return absent.success && absent.data === undefined
        ? [[`${path} ${name}`, schema] as const]
        : [];
    });
  });
}
