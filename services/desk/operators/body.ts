import { z } from "zod";
import { writtenText } from "../../platform/http/body/fields.ts";
import { roleField } from "./answers.ts";

const nameField = writtenText(128).meta({
  description: "No other operator's name",
  examples: ["Ada Byron"],
});

export const newOperatorBody = z.strictObject({
  name: nameField,
  role: roleField.default("reviewer"),
});

/** What is absent stays as it is. */
export const operatorChangesBody = z.strictObject({
  name: nameField.optional(),
  role: roleField.optional(),
  active: z.boolean().optional().meta({
    description: "False ends the operator's access and sessions at once",
  }),
});
