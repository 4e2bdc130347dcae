import { randomInt } from "node:crypto";
import { ApiError } from "../../client/errors.ts";
import type { PortingClient } from "../../client/porting-client.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT_CODES } from "../errors/exit-codes.ts";
import { fillOrder } from "../orders/fill-order.ts";
import { pollUntil } from "../poll-until.ts";
import type { DeskClient } from "./desk-client.ts";

const PATIENCE_MS = 90_000;
const NUMBER_TRIES = 5;
/** Marks the orders that a trigger creates, so that a later one takes no number of the account's own. */
const TRIGGER_REFERENCE = "nps trigger";
/** How many of those orders, newest first, are looked through for a number that is still active. */
const ORDERS_LOOKED_AT = 10;
const NO_DESK =
  "This event needs the sandbox's desk. It is found beside a local `npm start`; else set NPS_DESK_URL and NPS_DESK_TOKEN.";

export interface StageOptions {
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
    await fillOrder(this.client, id, options);
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
export const US_NUMBER = "+12127";
export const GB_NUMBER = "+442079";

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
