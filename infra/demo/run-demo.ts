import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { ApiError } from "../../packages/client/errors.ts";
import type { PortingClient } from "../../packages/client/porting-client.ts";
import { Chance, NOTES, OPS_COMMENTS, STORIES, type Act } from "./stories.ts";
import {
  ifThere,
  openCast,
  waitFor,
  type Client,
  type DemoAccount,
  type DemoCast,
} from "./demo-client.ts";
import { DemoOrder, type DemoScene } from "./demo-order.ts";

export interface DemoEnd {
  readonly orders: number;
  readonly broken: number;
  readonly tookMs: number;
  /** How often each story was played to its end. */
  readonly played: ReadonlyMap<string, number>;
  readonly hasWebhooks: boolean;
  readonly deskUrl: string;
  /** Of all orders of this run, which is a prefix of their references. */
  readonly run: string;
}

/** What a run of the demo has left, and where to look at it. */
export function summaryLines(end: DemoEnd): string[] {
  const { orders, broken, tookMs, played, hasWebhooks, deskUrl, run } = end;
  const counts = [...played].toSorted(([, one], [, other]) => other - one);
  const brokenOff = broken === 0 ? "" : `; ${broken} broke off`;
  return [
    "",
    `${orders - broken} of ${orders} orders were played in ${Math.round(tookMs / 1_000)} s${brokenOff}:`,
    ...counts.map(([story, count]) => `${String(count).padStart(6)}  ${story}`),
    "",
    hasWebhooks
      ? "Their webhooks went to a receiver of this command, which has ended: those that failed are tried again in vain."
      : "No webhooks were sent.",
    `The desk is at ${deskUrl} (desk_token in credentials.json); the orders' references begin with ${run}.`,
  ];
}

const SLOW_MS = 12_000;

/** How a receiver answers. */
const MANNERS = ["ok", "failing", "slow", "ok", "ok"] as const;

export interface Receivers {
  /** Why no endpoint could be made; null if all were. */
  readonly refusal: string | null;
  stop(): void;
}

/** A receiver on this machine, with an endpoint in each account; what fails or is slow stays so while the demo runs. */
async function openReceivers(accounts: readonly DemoAccount[]): Promise<Receivers> {
  const server = createServer((request, response) => {
    request.resume();
    const delayMs = request.url === "/slow" ? SLOW_MS : 0;
    response.statusCode = request.url === "/failing" ? 500 : 204;
    setTimeout(() => response.end(), delayMs).unref();
  });
  const port = await listen(server);
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  try {
    for (const [n, { client }] of accounts.entries()) {
      const manner = MANNERS[n % MANNERS.length] ?? "ok";
      const description = `The demo's receiver, ${manner}`;
      await removeFormer(client, description);
      const url = `http://127.0.0.1:${port}/${manner}`;
      await client.createWebhookEndpoint({ url, description });
    }
    return { refusal: null, stop };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const faults = error.faults.map(({ detail }) => detail);
    return { refusal: faults.length === 0 ? error.detail : faults.join(" "), stop };
  }
}

/** Of an earlier run, whose receiver is gone. */
async function removeFormer(client: PortingClient, description: string): Promise<void> {
  const known = await client.listWebhookEndpoints().toArray();
  for (const { id } of known.filter((one) => one.description === description)) {
    await client.deleteWebhookEndpoint(id);
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

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
class DemoDesk {
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

/** An order in play, with what the desk found wrong last. */
interface Play {
  readonly order: DemoOrder;
  readonly desk: DemoDesk;
  wrong: readonly string[];
}

const ACTS: Readonly<Record<Act, (play: Play) => Promise<unknown>>> = {
  some_values: ({ order }) => order.fulfil("some"),
  fulfil: ({ order }) => order.fulfil(),
  submit: ({ order }) => order.submit(),
  claim: ({ desk }) => desk.claim(),
  reject: async (play) => (play.wrong = await play.desk.reject()),
  correct: ({ order, wrong }) => order.correct(wrong),
  correct_account: ({ order }) => order.correct(["account_number"]),
  confirm: ({ desk }) => desk.confirm(),
  wait_rejection: ({ order }) => order.reaches("rejection"),
  manual_dates: ({ desk }) => desk.enterDates(),
  manual_reject: ({ desk }) => desk.enterRejection(),
  cancel: ({ order }) => order.cancel(),
  port_out: async ({ order, desk }) => {
    await desk.requestPortOut();
    await order.decidePortOut();
  },
};

/** Plays one order's story to where it ends. */
async function playOrder(cast: DemoCast, scene: DemoScene): Promise<void> {
  const { story, chance } = scene;
  const order = await DemoOrder.create(scene);
  const play: Play = { order, desk: new DemoDesk(cast, order, chance), wrong: [] };
  for (const act of story.acts) await ACTS[act](play);
  if (chance.isOneIn(4)) await order.comment();
  if (story.until !== undefined) await order.reaches(...story.until);
}

export interface DemoOptions {
  readonly orders: number;
  readonly concurrency: number;
  /** The same seed plays the same stories. */
  readonly seed: number;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
}

const REPORT_EVERY = 10;

/** Plays the orders, so many at once; returns how many stories broke off. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { orders, concurrency, seed, env, print } = options;
  const cast = await openCast(env);
  print(`${cast.accounts.length} accounts, ${cast.reviewers.length} operators who decide`);
  const receivers = await openReceivers(cast.accounts);
  if (receivers.refusal !== null) print(withoutWebhooks(receivers.refusal));
  const run = `DEMO-${Date.now().toString(36).toUpperCase()}`;
  const begunAt = performance.now();
  const played = new Map<string, number>();
  let next = 0;
  let done = 0;
  let broken = 0;
  const playOn = async (): Promise<void> => {
    while (next < orders) {
      const n = (next += 1);
      const chance = new Chance(seed + n);
      const story = chance.pickWeighted(STORIES);
      const reference = `${run}-${String(n).padStart(4, "0")}`;
      try {
        await playOrder(cast, { account: chance.pick(cast.accounts), story, chance, reference });
        played.set(story.name, (played.get(story.name) ?? 0) + 1);
      } catch (error) {
        broken += 1;
        print(`${reference}, ${story.name}: ${reasonOf(error)}`);
      }
      done += 1;
      if (done % REPORT_EVERY === 0 || done === orders) print(`${done} of ${orders} orders`);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, playOn));
  } finally {
    receivers.stop();
  }
  const tookMs = performance.now() - begunAt;
  const hasWebhooks = receivers.refusal === null;
  const { deskUrl } = cast;
  for (const line of summaryLines({ orders, broken, tookMs, played, hasWebhooks, deskUrl, run })) {
    print(line);
  }
  return broken;
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return "an answer is not what this demo expects.";
  return error instanceof Error ? error.message : String(error);
}

function withoutWebhooks(refusal: string): string {
  return `The orders are played without webhooks, whose receiver would be on this machine. ${refusal}
With them: WEBHOOK_ALLOW_HTTP=true WEBHOOK_ALLOW_CIDRS=127.0.0.0/8 npm start`;
}
