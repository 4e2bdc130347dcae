import type { PortingEvent } from "../../client/feed/porting-event.ts";
import type { PortingOrder } from "../../client/generated/api-types.ts";
import { EXIT_CODES } from "../errors/exit-codes.ts";
import { paintStatus, shortTime, type Paint } from "../output/render.ts";
import { nextText } from "./show-order.ts";
import type { Session } from "../session.ts";

export interface WatchOptions {
  readonly until?: string;
  readonly json?: true;
}

const ENDED: ReadonlySet<string> = new Set(["completed", "completed_partial", "cancelled"]);

/** Shows what happens to an order until it has ended, or is in the status that is waited for. */
export async function watchOrder(
  session: Session,
  id: string,
  options: WatchOptions,
): Promise<void> {
  const { client, host } = session;
  const { until = "completed" } = options;
  const out = session.printer(options);
  // The position first, then the order: what happens in between is shown twice rather than not at all.
  const [newest] = await client.events({ limit: 1 }).toArray(1);
  const order = await client.getPortingOrder(id);
  if (out.isJson) out.json({ status: order.status });
  else out.line(nowLine(order, out.style.paint));
  let status: string = order.status;
  if (!isOver(status, until)) {
    const following = client.followEvents({
      startingAfter: newest?.id ?? null,
      signal: host.signal,
      onCut: () => out.progress.show("The stream was cut; waiting for the service …"),
      onOpen: () => out.progress.clear(),
    });
    for await (const event of following) {
      if (event.order_id !== id) continue;
      if (out.isJson) out.json(event);
      else out.line(eventLine(event, out.style.paint));
      status = statusAfter(event, status);
      if (isOver(status, until)) break;
    }
  }
  if (!isOver(status, until)) host.signal.throwIfAborted();
  if (status !== until) session.exitCode = EXIT_CODES.negative;
}

function isOver(status: string, until: string): boolean {
  return status === until || status === "deleted" || ENDED.has(status);
}

function statusAfter(event: PortingEvent, before: string): string {
  if (event.type === "porting_order.status_changed") return event.payload.new_status;
  return event.type === "porting_order.deleted" ? "deleted" : before;
}

function nowLine({ status, next_action: next }: PortingOrder, paint: Paint): string {
  const text = nextText(next);
  return paintStatus(status, paint) + (text === null ? "" : `  ${paint.dim(`next: ${text}`)}`);
}

function eventLine(event: PortingEvent, paint: Paint): string {
  return `${paint.dim(shortTime(event.created_at))}  ${whatHappened(event, paint)}`;
}

function whatHappened(event: PortingEvent, paint: Paint): string {
  if (event.type === "porting_order.status_changed") {
    const { new_status, porting_order } = event.payload;
    const date = porting_order.foc_actual === null ? "" : `  FOC date ${porting_order.foc_actual}`;
    return paintStatus(new_status, paint) + date;
  }
  if (event.type === "porting_order.requirement_updated") {
    const { slug, status, reason } = event.payload.requirement;
    return `${slug} ${paintStatus(status, paint)}${reason == null ? "" : `: ${reason}`}`;
  }
  if (event.type === "porting_order.new_comment") {
    const { author_type, body } = event.payload.comment;
    return `comment of ${author_type}: ${body}`;
  }
  if (event.type === "number.activated") {
    return `${event.payload.phone_number} is ${paint.green("active")}`;
  }
  return event.type;
}
