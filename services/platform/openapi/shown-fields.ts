import { z } from "zod";

/** An object in a response, such as the first item of a list. */
export interface Shown {
  readonly schema: z.ZodType;
  /** A JSON pointer to it in the body. */
  readonly at: string;
  /** The fields that are never null. */
  readonly fields: ReadonlySet<string>;
  /** The name of its list; null for the response itself and for the items of a page. */
  readonly list: string | null;
  /** False if the list may be empty. */
  readonly isSure: boolean;
}

type Place = Pick<Shown, "at" | "list" | "isSure">;

/** The response object, the first item of a page, and the first item of each list in either. */
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
