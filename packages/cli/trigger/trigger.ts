import type { EventName, PortingEvent } from "../../client/feed/porting-event.ts";
import { EVENT_TYPES } from "../../client/generated/api-types.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT_CODES } from "../errors/exit-codes.ts";
import type { Column } from "../output/render.ts";
import type { Session } from "../session.ts";
import { PLAYS } from "./plays.ts";
import { Stage } from "./stage.ts";

const PATIENCE_MS = 90_000;

export interface TriggerOptions {
  readonly sandbox?: true;
  readonly json?: boolean;
}

/** Brings an event about by what leads to it in the sandbox, and shows it. */
export async function trigger(
  session: Session,
  type: EventName | undefined,
  options: TriggerOptions,
): Promise<void> {
  if (type === undefined) return listPlays(session, options);
  session.requireSandbox(options.sandbox === true);
  const { client, desk, host } = session;
  const out = session.printer(options);
  const onProgress = (text: string): void => out.progress.show(text);
  const [newest] = await client.events({ limit: 1 }).toArray(1);
  const play = PLAYS[type];
  const stage = new Stage({ client, desk, onProgress, signal: host.signal });
  if (play.needsDesk) stage.requireDesk();
  await play.run(stage);
  onProgress(`Waiting for ${type} …`);
  const event = await firstAfter(session, newest?.id ?? null, type);
  out.progress.clear();
  out.item(event, {
    id: event.id,
    type: event.type,
    order_id: event.order_id,
    created_at: event.created_at,
    payload: JSON.stringify(event.payload),
  });
}

/** The first event of the type after a position. */
async function firstAfter(
  { client, host }: Session,
  startingAfter: string | null,
  type: EventName,
): Promise<PortingEvent> {
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(PATIENCE_MS)]);
  for await (const event of client.followEvents({ startingAfter, signal })) {
    if (event.type === type) return event;
  }
  host.signal.throwIfAborted();
  const text = `${type} did not come within ${PATIENCE_MS / 1_000} s.`;
  throw new CliError(text, EXIT_CODES.unreachable);
}

interface Listed {
  readonly type: EventName;
  readonly how: string;
  readonly needs_desk: boolean;
}

const COLUMNS: readonly Column<Listed>[] = [
  { name: "type", of: ({ type }) => type },
  { name: "how", of: ({ how }) => how },
];

async function listPlays(session: Session, options: TriggerOptions): Promise<void> {
  const listed = EVENT_TYPES.map((type): Listed => {
    const { how, needsDesk } = PLAYS[type];
    return { type, how, needs_desk: needsDesk };
  });
  await session.printer(options).list(listed, COLUMNS);
}
