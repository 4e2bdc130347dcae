import { z } from "zod";
import type { Total } from "../../platform/db/count-rows.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import type { Reply } from "../../platform/http/routing/reply.ts";

/** Of a list that can be sorted by another key than when its items were made. */
export function orderQuery<Key extends string>(key: Key, what: string) {
  return {
    order_by: z.enum([key]).optional().describe(what),
    order: z
      .enum(["asc", "desc"])
      .optional()
      .describe(
        `Oldest (\`asc\`) or newest first, unless given \`desc\`; with \`order_by\` upwards or downwards, unless given \`asc\``,
      ),
  };
}

interface GivenOrder {
  readonly order?: "asc" | "desc" | undefined;
  readonly order_by?: string | undefined;
}

/** The query with the order that it means: newest first, or by the key upwards. */
export function ordered<Query extends GivenOrder>(query: Query) {
  const { order = query.order_by === undefined ? "desc" : "asc" } = query;
  return { ...query, order };
}

export const totalQuery = {
  total: z
    .enum(["true", "false"])
    .transform((given) => given === "true")
    .optional()
    .describe("Counts what the filters find, too (`true`)"),
};

/** A page of a list that can be counted. */
export function countedListOf<T extends z.ZodType>(item: T) {
  return listOf(item).extend({
    total: z
      .object({
        count: z.int().meta({ description: "Counted up to 10,000", examples: [1204] }),
        is_more: z.boolean().meta({
          description: "Whether there are more than `count`",
          examples: [false],
        }),
      })
      .optional()
      .describe("What the filters find on all pages; with `total=true`"),
  });
}

/** A list's answer with the total, where it is asked for. */
export async function withTotal(
  { query }: { readonly query: { readonly total?: boolean | undefined } },
  reply: Reply,
  count: () => Promise<Total>,
): Promise<Reply> {
  if (query.total !== true) return reply;
  return { ...reply, body: { ...Object(reply.body), total: await count() } };
}
