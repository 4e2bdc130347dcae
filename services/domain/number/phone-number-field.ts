import { z } from "zod";
import { E164 } from "./classify-number.ts";

/** A request's phone number by its form alone, whoever has such a number. */
export const phoneNumberField = z.string().regex(E164);
