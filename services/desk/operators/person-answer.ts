import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";

/** A person as the desk shows one: never a bare id. */
export const personAnswer = z
  .object({
    id: idText("The operator's id"),
    name: z.string().meta({ description: "The operator's name", examples: ["Ada Byron"] }),
  })
  .meta({ id: "Person", description: "An operator; no customer is shown one" });
