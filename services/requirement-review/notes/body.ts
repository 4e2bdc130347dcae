import { z } from "zod";

export const noteBody = z.strictObject({
  body: z.string().min(1).max(4_000).describe("The note's text; only the desk ever sees it"),
});
