import type { EventName, PortingEvent } from "../../client/feed/porting-event.ts";
import { EVENT_TYPES } from "../../client/generated/api-types.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT_CODES } from "../errors/exit-codes.ts";
import type { Column } from "../output/render.ts";
import type { Session } from "../session.ts";
import { GB_NUMBER, Stage, US_NUMBER } from "./stage.ts";

/** How an event comes about. */
export interface Play {
  /** For people, in the list of the types. */
  readonly how: string;
  /** Whether operators or carriers take part, whom the sandbox's desk plays. */
  readonly needsDesk: boolean;
  readonly run: (stage: Stage) => Promise<unknown>;
}

const customer = (how: string, run: Play["run"]): Play => ({ how, needsDesk: false, run });
const withDesk = (how: string, run: Play["run"]): Play => ({ how, needsDesk: true, run });

const FORWARDED_TO = "+12125550177";

/** The play of every event type that is sent. */
const PLAYS: { readonly [Name in EventName]: Play } = {
  "porting_order.created": customer("creates an order", (stage) => stage.createOrder()),
  "porting_order.split": customer("orders numbers of two countries at once", (stage) =>
    stage.createOrders(US_NUMBER, GB_NUMBER),
  ),
  "porting_order.deleted": customer("creates an order and deletes it", async (stage) =>
    stage.client.deletePortingOrder(await stage.createOrder()),
  ),
  "porting_order.status_changed": customer("creates, fills and submits an order", (stage) =>
    stage.createSubmitted(),
  ),
  "porting_order.requirement_updated": withDesk("has the desk approve an order", (stage) =>
    stage.createConfirmed(),
  ),
  "porting_order.new_comment": withDesk("has the desk comment on an order", async (stage) =>
    stage.desk.comment(await stage.createOrder(), "We are looking at it."),
  ),
  "loa.signed": customer("creates an order, fills and signs it", (stage) => stage.createFilled()),
  "number.activated": withDesk("ports a number to the end", (stage) => stage.createConfirmed()),
  "number.provider_changed": withDesk("moves a number to another provider", async (stage) => {
    const number = await stage.client.getNumber(await stage.activeNumber());
    const provider = number.provider === "manual" ? "sandbox" : "manual";
    await stage.desk.moveToProvider(number.phone_number, provider);
  }),
  "call.forwarded": call("a call is forwarded", {
    ...{ kind: "forwarded", forwarded_by: "platform", stage: "primary" },
  }),
  "call.completed": call("an answered call ends", {
    ...{ kind: "completed", duration_seconds: 61, ended_by: "caller" },
  }),
  "call.missed": call("nobody answers a call", { kind: "missed", reason: "no_answer" }),
  "number.ported_out": withDesk("ports a number to another carrier", async (stage) => {
    const { id, ref } = await stage.requestPortOut();
    await stage.client.approvePortOut(id);
    await stage.desk.completePortOut(ref);
  }),
  "port_out.created": withDesk("another carrier asks for a number", (stage) =>
    stage.requestPortOut(),
  ),
  "port_out.status_changed": withDesk("another carrier asks for a number", (stage) =>
    stage.requestPortOut(),
  ),
};

function call(how: string, step: Readonly<Record<string, string | number>>): Play {
  return withDesk(how, async (stage) => {
    const phone_number = await stage.activeNumber();
    await stage.client.updateNumber(phone_number, { forwarding: { primary: FORWARDED_TO } });
    await stage.desk.call({ phone_number, from: "+12125550199", to: FORWARDED_TO, ...step });
  });
}

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
