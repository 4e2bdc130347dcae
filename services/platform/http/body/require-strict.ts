import { z } from "zod";

import { AppError } from "../../errors.ts";

/**
 * Checks, when a route is defined, that its schema refuses unknown properties at every depth.
 * `z.looseObject` and `catchall` allow them explicitly and pass.
 * @throws `invalid_config` naming the place
 */
export function requireStrict(schema: z.core.$ZodType, location: string): void {
  if (schema instanceof z.ZodObject) {
    if (schema.def.catchall === undefined) {
      throw new AppError("invalid_config", `${location} must be a z.strictObject`);
    }
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.def.shape;
    for (const [key, inner] of Object.entries(shape)) requireStrict(inner, `${location}.${key}`);
  } else if (schema instanceof z.ZodArray) requireStrict(schema.def.element, `${location}[]`);
  else if (schema instanceof z.ZodUnion) {
    for (const option of schema.def.options) requireStrict(option, location);
  } else if (schema instanceof z.ZodPipe) requireStrict(schema.def.in, location);
  else {
    const inner = unwrap(schema);
    if (inner !== null) requireStrict(inner, location);
  }
}

/** The schema inside an optional, nullable, defaulted or read-only one; null if it wraps nothing. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType | null {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly;
  return wraps ? schema.def.innerType : null;
}
