import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";

/** A person as the desk shows one: never a bare id. */
export const personAnswer = z
  .object({ id: idText(), name: z.string().meta({ examples: ["Ada Byron"] }) })
  .meta({ id: "Person" });
