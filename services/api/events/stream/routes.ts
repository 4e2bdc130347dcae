import type { Context } from "koa";
import { z } from "zod";
import { findFeedPosition, readFeedTips } from "../../../domain/event/store/feed.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { uuid } from "../../../platform/http/body/fields.ts";
import {
  endWithClient,
  HEARTBEAT,
  OPENING,
  streamReply,
} from "../../../platform/http/routing/event-stream.ts";
import { GET, type CustomerRoute } from "../../access/customer-routes.ts";
import type { ApiDeps } from "../../api-deps.ts";
import type { FeedTail } from "./event-streams.ts";

const HEARTBEAT_MS = 15_000;

/** The event to resume after. A reconnecting EventSource repeats its original URL, so `Last-Event-ID` takes precedence. */
interface Resume {
  readonly eventId: string;
  readonly fault: { readonly header: string } | { readonly parameter: string };
}

function resumeOf(ctx: Context, startingAfter: string | undefined): Resume | null {
  const last = ctx.req.headers["last-event-id"];
  if (typeof last === "string" && last !== "") {
    return { eventId: last, fault: { header: "Last-Event-ID" } };
  }
  if (startingAfter === undefined) return null;
  return { eventId: startingAfter, fault: { parameter: "starting_after" } };
}

/** @throws `invalid_header`, `invalid_parameter` if the account has no event with the id */
async function positionOf(
  db: Queryable,
  accountId: string,
  resume: Resume | null,
): Promise<number> {
  if (resume === null) return (await readFeedTips(db, [accountId])).get(accountId) ?? 0;
  const id = uuid().safeParse(resume.eventId);
  const position = id.success ? await findFeedPosition(db, accountId, id.data) : null;
  if (position !== null) return position;
  const code = "header" in resume.fault ? "invalid_header" : "invalid_parameter";
  const detail = "The account has no event with this id.";
  throw new AppError(code, detail, { faults: [{ ...resume.fault, code: "unknown_id", detail }] });
}

/** `GET /v2/porting/events/stream`: the feed as Server-Sent Events, from now on or from where the reader stopped. */
export function eventStreamRoutes({ live: { tail, streams } }: ApiDeps): CustomerRoute[] {
  return [
    GET("/v2/porting/events/stream", "Follow the events as Server-Sent Events", {
      operationId: "streamPortingEvents",
      description:
        "Each message's `id` is the event's id, its `data` the event as JSON. From now on, or after the event that `Last-Event-ID` or `starting_after` names. At most 5 streams an account.",
      answers: { 200: { mediaTypes: ["text/event-stream"] } },
      headers: z.object({
        "Last-Event-ID": z
          .string()
          .optional()
          .describe("The id of the last event received; it wins over `starting_after`"),
      }),
      produces: "text/event-stream",
      noStore: true,
      query: z.strictObject({
        starting_after: uuid().optional().describe("The id of the event to continue after"),
      }),
      handle: async ({ db, principal, query, ctx }) => {
        const { accountId } = principal;
        const stream = await streams.open(principal);
        try {
          endWithClient(ctx.res, stream);
          const after = await positionOf(db, accountId, resumeOf(ctx, query.starting_after));
          const { signal } = stream;
          return streamReply(
            streamFrames({ tail, accountId, after, heartbeatMs: HEARTBEAT_MS, signal }),
          );
        } catch (error) {
          stream.abort();
          throw error;
        }
      },
    }),
  ];
}

interface StreamOptions {
  readonly tail: FeedTail;
  readonly accountId: string;
  /** The position in the feed after which the reader continues. */
  readonly after: number;
  readonly heartbeatMs: number;
  /** Ends the stream: the client disconnected, its key was revoked, or the service stops. */
  readonly signal: AbortSignal;
}

/** Yields every event after the reader's position in order, as fast as the reader takes them, and heartbeats in between. */
export async function* streamFrames(options: StreamOptions): AsyncGenerator<string, void> {
  const { heartbeatMs, signal } = options;
  let { after } = options;
  const follower = options.tail.follow(options.accountId);
  try {
    yield OPENING;
    for (;;) {
      const frames = await follower.next(after, { ms: heartbeatMs, signal });
      if (signal.aborted) return;
      const last = frames.at(-1);
      if (last === undefined) {
        yield HEARTBEAT;
        continue;
      }
      after = last.seq;
      yield frames.map((frame) => frame.text).join("");
    }
  } finally {
    follower.close();
  }
}
