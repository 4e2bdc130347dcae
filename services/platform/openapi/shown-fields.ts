import { z } from "zod";

/** Something that an answer shows, such as the first object of a list. */
export interface Shown {
  readonly schema: z.ZodType;
  /** A JSON pointer to it in the body. */
  readonly at: string;
  readonly fields: ReadonlySet<string>;
  /** The name of the list that it is in; null for the answer itself and for what a page lists. */
  readonly list: string | null;
}

/** The answer's object, the first of a page's data, and the first of each list in either. */
export function shownBy(answer: z.ZodType): Shown[] {
  const whole = objectOf(answer);
  if (whole === null) return [];
  return [shown(whole, "", null), ...firstOfLists(whole, "")];
}

function firstOfLists(object: z.ZodObject, at: string): Shown[] {
  return Object.entries(object.shape).flatMap(([name, field]) => {
    const list = withoutNull(field);
    const element = list instanceof z.ZodArray ? objectOf(list.element) : null;
    if (element === null) return [];
    const place = `${at}/${name}/0`;
    if (name !== "data") return [shown(element, place, name)];
    return [shown(element, place, null), ...firstOfLists(element, place)];
  });
}

function shown(schema: z.ZodObject, at: string, list: string | null): Shown {
  return { schema, at, fields: new Set(Object.keys(schema.shape)), list };
}

function objectOf(schema: unknown): z.ZodObject | null {
  const inner = withoutNull(schema);
  return inner instanceof z.ZodObject ? inner : null;
}

function withoutNull(schema: unknown): unknown {
  const isWrapped = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  return isWrapped ? withoutNull(schema.unwrap()) : schema;
}
