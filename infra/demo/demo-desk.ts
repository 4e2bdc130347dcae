import { z } from "zod";
import { waitFor } from "./wait-for.ts";
import type { Chance } from "./chance.ts";
import { ifThere, type Client } from "./demo-client.ts";
import type { DemoOrder } from "./demo-order.ts";
import type { DemoCast } from "./open-demo.ts";
import { NOTES, OPS_COMMENTS } from "./people.ts";

const WAIT_MS = 120_000;
const UNDER_REVIEW = "requirement-info-under-review";
const DAY_MS = 24 * 60 * 60 * 1_000;
const OWN_REASON = "It does not agree with the other documents.";

const reviewCase = z.object({
  state: z.literal("open"),
  requirements: z.array(z.object({ slug: z.string(), status: z.string() })),
});

type OpenCase = z.output<typeof reviewCase>;

/** What an operator does with one order. */
export class DemoDesk {
  readonly #cast: DemoCast;
  readonly #operator: Client;
  readonly #chance: Chance;
  readonly #order: DemoOrder;

  constructor(cast: DemoCast, order: DemoOrder, chance: Chance) {
    this.#cast = cast;
    this.#order = order;
    this.#chance = chance;
    this.#operator = chance.pick(cast.reviewers);
  }

  async claim(): Promise<void> {
    await this.#openCase();
    await this.#claim();
    if (this.#chance.isOneIn(2)) await this.#talk();
  }

  async confirm(): Promise<void> {
    const { requirements } = await this.#openCase();
    await this.#claim();
    const decisions = slugsOf(requirements).map((slug) => ({ slug, decision: "approve" }));
    await this.#decide({ decisions, confirm: true });
  }

  /** Rejects one or two fields; returns their slugs. */
  async reject(): Promise<string[]> {
    const { requirements } = await this.#openCase();
    await this.#claim();
    if (this.#chance.isOneIn(2)) await this.#talk();
    const slugs = slugsOf(requirements);
    const first = this.#chance.below(slugs.length);
    const chosen = slugs.slice(first, first + 1 + this.#chance.below(2));
    const decisions = slugs.map((slug) =>
      chosen.includes(slug) ? this.#rejection(slug) : { slug, decision: "approve" },
    );
    await this.#decide({ decisions });
    await this.#order.reaches("rejection");
    return chosen;
  }

  /** A carrier that is called gives a date. */
  async enterDates(): Promise<void> {
    await this.#order.reaches("submitted");
    const foc_at = new Date(Date.now() + 12 * DAY_MS).toISOString();
    await this.#update({ kind: "acknowledged", raw_status: "Order received" });
    await this.#update({ kind: "date_confirmed", raw_status: "Date confirmed by phone", foc_at });
  }

  async enterRejection(): Promise<void> {
    await this.#order.reaches("submitted");
    const rejection = {
      raw_code: "account_number_mismatch",
      raw_text: "The account number is not the one on our records.",
    };
    await this.#update({ kind: "rejected", raw_status: "Rejected by mail", rejection });
  }

  /** Another carrier asks for the number. */
  async requestPortOut(): Promise<void> {
    await this.#order.reaches("completed", "completed_partial");
    const body = {
      phone_numbers: this.#order.phoneNumbers.slice(0, 1),
      gaining_carrier: this.#chance.pick(["Lumen", "BT", "Vodafone", "Orange"]),
      requested_foc: new Date(Date.now() + (5 + this.#chance.below(10)) * DAY_MS).toISOString(),
    };
    await this.#cast.desk("/sandbox/port_outs", { method: "POST", body });
  }

  /** The desk learns of a submission by a topic, so that there may be no case yet. */
  #openCase(): Promise<OpenCase> {
    const open = async () => {
      const found = await ifThere(this.#operator(`/reviews/${this.#order.id}`));
      const parsed = reviewCase.safeParse(found);
      return parsed.success ? parsed.data : undefined;
    };
    const what = () => `The desk has no open case for order ${this.#order.id}`;
    return waitFor(open, { timeoutMs: WAIT_MS, what });
  }

  async #claim(): Promise<void> {
    await this.#operator(`/reviews/${this.#order.id}/claim`, { method: "POST", body: {} });
  }

  async #decide(body: unknown): Promise<void> {
    await this.#operator(`/reviews/${this.#order.id}/decision`, { method: "POST", body });
  }

  #rejection(slug: string) {
    const [first, ...rest] = this.#cast.exceptions.get(slug) ?? [];
    if (first === undefined) return { slug, decision: "reject", reason: OWN_REASON };
    const { code, text } = this.#chance.pick([first, ...rest]);
    return { slug, decision: "reject", code, reason: text };
  }

  /** A comment for the customer and a note for the desk, where this release has notes. */
  async #talk(): Promise<void> {
    const path = `/orders/${this.#order.id}`;
    const body = { body: this.#chance.pick(OPS_COMMENTS) };
    await this.#operator(`${path}/comments`, { method: "POST", body });
    const note = { body: this.#chance.pick(NOTES) };
    await ifThere(this.#operator(`${path}/notes`, { method: "POST", body: note }));
  }

  async #update(body: unknown): Promise<void> {
    await this.#operator(`/orders/${this.#order.id}/carrier_updates`, { method: "POST", body });
  }
}

function slugsOf(requirements: OpenCase["requirements"]): string[] {
  return requirements.filter(({ status }) => status === UNDER_REVIEW).map(({ slug }) => slug);
}
