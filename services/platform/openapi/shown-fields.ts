import { z } from "zod";

/** Something that an answer shows, such as the first object of a list. */
export interface Shown {
  readonly schema: z.ZodType;
  /** A JSON pointer to it in the body. */
  readonly at: string;
  /** Those that are never null. */
  readonly fields: ReadonlySet<string>;
  /** The name of the list that it is in; null for the answer itself and for what a page lists. */
  readonly list: string | null;
  /** False where the list may be empty. */
  readonly isSure: boolean;
}

type Place = Pick<Shown, "at" | "list" | "isSure">;

/** The answer's object, the first of a page's data, and the first of each list in either. */
export function shownBy(answer: z.ZodType): Shown[] {
  if (!(answer instanceof z.ZodObject)) return [];
  const place = { at: "", list: null, isSure: true };
  return [shown(answer, place), ...firstOfLists(answer, place)];
}

function firstOfLists(object: z.ZodObject, { at, isSure }: Place): Shown[] {
  return Object.entries(object.shape).flatMap(([name, list]) => {
    if (!(list instanceof z.ZodArray) || !(list.element instanceof z.ZodObject)) return [];
    const isFilled = isSure && !list.safeParse([]).success;
    const place = { at: `${at}/${name}/0`, list: name === "data" ? null : name, isSure: isFilled };
    const inner = name === "data" ? firstOfLists(list.element, place) : [];
    return [shown(list.element, place), ...inner];
  });
}

function shown(schema: z.ZodObject, place: Place): Shown {
  const sure = Object.entries(schema.shape).filter(
    ([, field]) => !z.safeParse(field, null).success,
  );
  return { schema, fields: new Set(sure.map(([name]) => name)), ...place };
}
