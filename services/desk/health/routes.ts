import { ok } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { healthAnswer } from "./answers.ts";

/** `/desk/v1/health`: lags, depths and oldest items, for an operator to see what is stuck. */
export function healthRoutes({ health }: Pick<DeskDeps, "health">): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/health", "Read what is slow or stuck, with its last hour", {
      description: `A sample a minute is kept for an hour. A measure is \`slow\` or \`stuck\` from its threshold on; and the lag of a
consumer group or the depth of the outbox is \`stuck\`, however small, when it has not shrunk for five minutes.`,
      answers: { 200: healthAnswer },
      handle: async () => ok((await health.read()).answer),
    }),
  ];
}
