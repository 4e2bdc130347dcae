import { z } from "zod";
import { NUMBER_TYPES } from "../../countries/number-type.ts";

/** The type of a number in a response; a request's is the plain, closed enumeration. */
export const numberType = z.enum(NUMBER_TYPES).meta({
  id: "NumberType",
  description: "Type of a number by its country's numbering plan",
});
