import type { DeskDeps } from "../desk-deps.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import { endWithClient, streamReply } from "../../platform/http/routing/event-stream.ts";
import { hintFrames } from "./hint-frames.ts";

/** How soon a stream ends after its token or session was revoked. */
const HEARTBEAT_MS = 10_000;

/** `GET /desk/v1/stream`: hints of what changed, from any process, within two seconds. */
export function streamRoutes({ bus, live: { watch, listeners, readmit } }: DeskDeps): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/stream", "Follow what changes at the desk as Server-Sent Events", {
      operationId: "streamDeskHints",
      description: `Hints: each says what to fetch again. Their \`data\` is JSON.

- \`review\`: \`{order_id, attempt, state, claimed_by, due_at}\`, a case was opened, claimed, released, decided or withdrawn, or its claim lapsed;
- \`order\`: \`{id, account_id, status}\`, something happened to an order;
- \`counts\`: \`{at}\`, the counts of \`GET /desk/v1/reviews\` may differ;
- \`health\`: \`{at, status}\`, there is a new sample, a minute after the one before.

They come within two seconds. There is no resuming: fetch everything again after a reconnect. Where very many orders
change at once, only the newest are hinted at. The stream ends at the next heartbeat, within 15 seconds, after the
token or session is revoked, and at once for a client that reads too slowly. At most 10 streams an operator.`,
      answers: { 200: { mediaTypes: ["text/event-stream"] } },
      refuses: ["rate_limited"],
      produces: "text/event-stream",
      noStore: true,
      handle: ({ principal: { operatorId }, ctx }) => {
        const stream = listeners.open(operatorId);
        endWithClient(ctx.res, stream);
        const mayListen = async (): Promise<boolean> => {
          try {
            return (await readmit(ctx)) === operatorId;
          } catch (error) {
            bus.log.warn({ err: error }, "a stream ends, because its token could not be checked");
            return false;
          }
        };
        return streamReply(hintFrames({ watch, heartbeatMs: HEARTBEAT_MS, mayListen, stream }));
      },
    }),
  ];
}
