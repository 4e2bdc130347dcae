import { z } from "zod";
import type { Bus } from "../../messages/bus/bus.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import type { DeadLetterFilter } from "./store/dead-letters.ts";

/** What dead letters are chosen by, in the list's query as in a bulk command's body. */
export const deadLetterFilter = {
  topic: z
    .string()
    .optional()
    .meta({
      description: "From this topic, named without the deployment's prefix",
      examples: ["carriers.updates"],
    }),
  error_code: z
    .string()
    .optional()
    .meta({ description: "With this code", examples: ["undecodable"] }),
  key: z.string().optional().meta({ description: "The message's key, such as the order's id" }),
  account_id: uuid().optional().meta({
    description:
      "Of the order that the message names, or of the order, number or port-out that is its key",
  }),
  consumer: z
    .string()
    .optional()
    .meta({
      description: "Those that this consumer could not handle",
      examples: ["carrier-adapter"],
    }),
};

type Given = Readonly<z.output<z.ZodObject<typeof deadLetterFilter>>>;

export function filterOf(
  { topicPrefix }: Pick<Bus, "topicPrefix">,
  given: Given,
): DeadLetterFilter {
  return {
    topic: given.topic === undefined ? undefined : topicPrefix + given.topic,
    errorCode: given.error_code,
    key: given.key,
    accountId: given.account_id,
    consumer: given.consumer,
  };
}
