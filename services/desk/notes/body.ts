import { z } from "zod";
import { writtenText } from "../../platform/http/body/fields.ts";

export const noteBody = z.strictObject({
  body: writtenText(4_000).describe("The note's text; only the desk ever sees it"),
});
