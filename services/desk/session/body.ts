import { z } from "zod";

export const sessionBody = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(256)
    .meta({
      description: "The operator's token",
      examples: [`nps_desk_${"0".repeat(38)}`],
    }),
});
