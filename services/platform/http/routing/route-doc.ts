import type { z } from "zod";

import type { ProblemCode } from "../problem/problem.ts";

export type GoodStatus = "200" | "201" | "202" | "204";

/** An answer that is no JSON. */
export interface RawAnswer {
  readonly mediaTypes: readonly string[];
}

/** What is answered: JSON of a schema, something else, or nothing. */
export type GoodAnswer = z.ZodType | RawAnswer | null;

/** What the API's description says of a route that its parameters and its body do not. */
export interface RouteDoc {
  /** What it does, in the imperative and a few words. */
  readonly summary: string;
  /** What a caller should know besides; markdown. */
  readonly description?: string;
  readonly answers: Readonly<Partial<Record<GoodStatus, GoodAnswer>>>;
  /** Codes besides those that every route of its kind may raise. */
  readonly refuses?: readonly ProblemCode[];
  /** Headers that it reads itself. */
  readonly headers?: z.ZodObject;
}

export function isRaw(answer: z.ZodType | RawAnswer): answer is RawAnswer {
  return "mediaTypes" in answer;
}
