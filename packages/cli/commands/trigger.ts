import { randomInt } from "node:crypto";
import { ApiError } from "../../client/errors.ts";
import type { EventName, PortingEvent } from "../../client/feed.ts";
import { EVENT_TYPES } from "../../client/generated/api-types.ts";
import type { PortingClient } from "../../client/porting-client.ts";
import type { DeskClient } from "../desk-client.ts";
import { CliError, EXIT_CODES } from "../errors.ts";
import { fillingOf } from "../filling.ts";
import type { Column } from "../output.ts";
import { pollUntil } from "../poll-until.ts";
import type { Session } from "../session.ts";

/** How an event comes about. */
interface Play {
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

const NUMBER_TRIES = 5;
/** Marks the orders that a trigger creates, so that a later one takes no number of the account's own. */
const TRIGGER_REFERENCE = "nps trigger";
/** How many of those orders, newest first, are looked through for a number that is still active. */
const ORDERS_LOOKED_AT = 10;
const NO_DESK =
  "This event needs the sandbox's desk. It is found beside a local `npm start`; else set NPS_DESK_URL and NPS_DESK_TOKEN.";

interface StageOptions {
  readonly client: PortingClient;
  readonly desk: DeskClient | null;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** The steps by which events come about in a sandbox: orders, reviews, carriers and calls. */
export class Stage {
  readonly client: PortingClient;
  readonly #options: StageOptions;

  constructor(options: StageOptions) {
    this.client = options.client;
    this.#options = options;
  }

  get desk(): DeskClient {
    return this.requireDesk();
  }

  /** @throws CliError where there is no desk; before anything is created for nothing */
  requireDesk(): DeskClient {
    if (this.#options.desk === null) throw new CliError(NO_DESK, EXIT_CODES.access);
    return this.#options.desk;
  }

  /** Orders of one request for new numbers, such as `+1212`; their ids. */
  async createOrders(...prefixes: readonly string[]): Promise<string[]> {
    this.#options.onProgress("Creating an order …");
    for (let tries = 1; ; tries += 1) {
      try {
        const phone_numbers = prefixes.map(newNumber);
        const created = await this.client.createPortingOrder({
          phone_numbers,
          customer_reference: TRIGGER_REFERENCE,
        });
        return created.data.map(({ id }) => id);
      } catch (error) {
        if (!isTaken(error) || tries === NUMBER_TRIES) throw error;
      }
    }
  }

  async createOrder(): Promise<string> {
    const [id = ""] = await this.createOrders(US_NUMBER);
    return id;
  }

  /** A new order that has everything; its id. */
  async createFilled(): Promise<string> {
    const id = await this.createOrder();
    const { signal, onProgress } = this.#options;
    const none = new Map<string, string>();
    const options = { values: none, files: none, withExamples: true, signal, onProgress };
    await this.client.fillOrder(id, fillingOf(options));
    return id;
  }

  /** A new order in review; its id. */
  async createSubmitted(): Promise<string> {
    const id = await this.createFilled();
    this.#options.onProgress("Submitting …");
    await this.client.submitPortingOrder(id);
    return id;
  }

  /** A new order that the desk has confirmed, on its way to the sandbox carrier; its id. */
  async createConfirmed(): Promise<string> {
    const id = await this.createSubmitted();
    this.#options.onProgress("Confirming at the desk …");
    const open = await this.#until("a review case", async () => {
      const found = await this.desk.review(id).catch(nullIfNotFound);
      return found?.state === "open" ? found : null;
    });
    await this.desk.confirm(id, open);
    return id;
  }

  /** An active number that an earlier trigger ported, else a new one; never one that the account ordered otherwise. */
  async activeNumber(): Promise<string> {
    const phoneNumber = (await this.#earlierNumber()) ?? (await this.#portNumber());
    this.#options.onProgress(`Taking ${phoneNumber}, which nps trigger ported …`);
    return phoneNumber;
  }

  async #earlierNumber(): Promise<string | null> {
    const orders = this.client.listPortingOrders({
      customer_reference: TRIGGER_REFERENCE,
      status: ["completed"],
      limit: ORDERS_LOOKED_AT,
    });
    for (const { id } of (await orders.first()).data) {
      const phoneNumber = await this.#activeNumberOf(id);
      if (phoneNumber !== null) return phoneNumber;
    }
    return null;
  }

  async #activeNumberOf(porting_order_id: string): Promise<string | null> {
    const { data } = await this.client
      .listNumbers({ porting_order_id, status: ["active"] })
      .first();
    return data[0]?.phone_number ?? null;
  }

  async #portNumber(): Promise<string> {
    const id = await this.createConfirmed();
    this.#options.onProgress("Waiting for the sandbox carrier …");
    return this.#until("the number to be active", () => this.#activeNumberOf(id));
  }

  /** Another carrier's request for a number, which waits for a decision. */
  async requestPortOut(): Promise<{ readonly id: string; readonly ref: string }> {
    const phone_number = await this.activeNumber();
    this.#options.onProgress("Requesting the number for another carrier …");
    const ref = await this.desk.requestPortOut(phone_number);
    const id = await this.#until("the port-out", async () => {
      const query = { status: ["decision_required"], phone_number } as const;
      return (await this.client.listPortOuts(query).first()).data[0]?.id ?? null;
    });
    return { id, ref };
  }

  #until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
    const { signal } = this.#options;
    return pollUntil(look, { timeoutMs: PATIENCE_MS, what, signal });
  }
}

/** Prefixes that six more digits complete to a valid number. */
const US_NUMBER = "+12127";
const GB_NUMBER = "+442079";

/** Numbers whose last digits select another outcome end in 99xx (docs/sandbox.md). */
function newNumber(prefix: string): string {
  const last = randomInt(9_900);
  return `${prefix}${String(randomInt(100)).padStart(2, "0")}${String(last).padStart(4, "0")}`;
}

function isTaken(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === "number_in_active_order" || error.code === "validation_failed";
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}
