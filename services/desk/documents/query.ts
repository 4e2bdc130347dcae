import { z } from "zod";

/** No document of 20 MiB has more. */
const MOST_PAGES = 10_000;

const page = z
  .string()
  .regex(/^\d{1,9}$/, "It must be a whole number.")
  .transform(Number)
  .pipe(z.int().min(1).max(MOST_PAGES))
  .optional()
  .meta({
    type: "integer",
    minimum: 1,
    maximum: MOST_PAGES,
    description: "With `as=png`: the page, from 1, which is the default",
  });

/** Parameters of `GET /desk/v1/documents/{id}`. */
export const documentQuery = z.strictObject({
  as: z.enum(["png"]).optional().meta({
    description: "`png`: one page as a PNG image, for a TIFF, which browsers do not show",
  }),
  page,
});
