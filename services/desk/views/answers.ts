import { z } from "zod";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";

/** The desk's pages that are lists, by their paths. */
export const LIST_SCREENS = [
  "reviews",
  "orders",
  "port-outs",
  "numbers",
  "accounts",
  "webhooks",
  "deliveries",
  "dead-letters",
  "audit",
] as const;

export const savedViewAnswer = z
  .object({
    id: idText("The view's id"),
    screen: z.enum(LIST_SCREENS).describe("The page of the desk whose list it is"),
    name: z.string().meta({ description: "As its tab reads", examples: ["Late in Britain"] }),
    search: z.string().meta({
      description: "Filters and order, as they stand in the page's address",
      examples: ["view=overdue&country_code=GB"],
    }),
    shared: z.boolean().meta({ description: "Whether it is everybody's", examples: [false] }),
    created_at: timeText("When it was first saved"),
  })
  .meta({ id: "SavedView", description: "A list of the desk under a name" });
