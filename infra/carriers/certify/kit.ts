import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Provider, REQUEST_KINDS } from "../../../services/domain/carrier/rules/provider.ts";
import { outgoing } from "../../../services/messages/bus/outgoing.ts";
import type { Stream } from "../../../services/messages/bus/stream.ts";
import { providerGroup } from "../../../services/messages/bus/topic-rights.ts";
import type { PortOutUpdate } from "../../../services/messages/generated/port-out-update.ts";
import { newId } from "../../../services/platform/ids.ts";
import type { BusWatch, SeenRequest } from "./bus-watch.ts";
import { sendOrder, statusOf, type OrderMaker, type SampleOrder } from "./sample-order.ts";
import {
  CertifyFailure,
  CertifySkip,
  noRequest,
  notCommitted,
  notReached,
  refusedUpdate,
  waitFor,
  type Shortfall,
} from "./shortfalls.ts";

const measured = z.object({ status: z.string() });

/** What is read of the desk's `GET /desk/v1/health`. */
const health = z.object({
  outbox: measured.extend({ depth: z.number(), oldest_age_seconds: z.number() }),
  consumer_groups: z.array(measured.extend({ group: z.string(), lag: z.number() })).nullable(),
});

/** Why the service itself may be late, as a sentence; null where it is not, or does not say. */
export function delayOf(answer: unknown): string | null {
  const { data } = health.safeParse(answer);
  if (data === undefined) return null;
  const { outbox, consumer_groups: groups } = data;
  const late = [
    ...(outbox.status === "ok"
      ? []
      : [
          `its outbox holds ${outbox.depth} messages, the oldest for ${Math.round(outbox.oldest_age_seconds)} s`,
        ]),
    ...(groups ?? [])
      .filter(({ status }) => status !== "ok")
      .map(({ group, lag }) => `${group} has ${lag} messages to read`),
  ];
  if (late.length === 0) return null;
  return `The service itself is behind (${late.join("; ")}), so this may not be the integration's fault: see the desk's health page`;
}

export type RequestKind = (typeof REQUEST_KINDS)[number];

export interface KitOptions {
  readonly stream: Stream;
  readonly watch: BusWatch;
  readonly provider: Provider;
  readonly maker: OrderMaker;
}

/** The statuses of which an order is to reach one, and the update that moves it there, as a part of a sentence. */
export interface Goal {
  readonly statuses: readonly string[];
  readonly by: string;
}

/** What the scenarios have in common: orders of the provider, and what passes on the topics. */
export class Kit {
  readonly maker: OrderMaker;
  readonly watch: BusWatch;
  readonly provider: Provider;
  readonly #stream: Stream;

  constructor({ stream, watch, provider, maker }: KitOptions) {
    this.#stream = stream;
    this.watch = watch;
    this.provider = provider;
    this.maker = maker;
  }

  /** @throws CertifySkip where the provider does not take such requests */
  needs(kind: RequestKind): void {
    if (this.provider.capabilities.includes(kind)) return;
    throw new CertifySkip(`${kind} is not among the provider's capabilities.`);
  }

  takes(kind: RequestKind): boolean {
    return this.provider.capabilities.includes(kind);
  }

  newOrder(): Promise<SampleOrder> {
    return sendOrder(this.maker);
  }

  /** The request of that kind about an order, once it is on the topic. */
  requestOf(kind: RequestKind, orderId: string): Promise<SeenRequest> {
    return this.requestWhere(kind, ({ request }) => request.order_id === orderId);
  }

  requestWhere(kind: RequestKind, fits: (seen: SeenRequest) => boolean): Promise<SeenRequest> {
    return this.wait(
      () => this.watch.requests.find((seen) => seen.request.kind === kind && fits(seen)),
      () => noRequest(kind),
    );
  }

  /** Waits until the order has one of the statuses. @throws CertifyFailure as soon as an update of it is refused */
  async reaches(orderId: string, { statuses, by }: Goal): Promise<string> {
    const { http } = this.maker;
    let status = "";
    return this.wait(
      async () => {
        this.requireNoRefusal(orderId);
        status = await statusOf(http, orderId);
        return statuses.includes(status) ? status : undefined;
      },
      () => notReached({ orderId, status, expected: statuses, by }, this.watch),
    );
  }

  /** Waits until a consumer group of the integration has committed the request. */
  async isConsumed(seen: SeenRequest): Promise<void> {
    const isConsumed = async () =>
      (await this.watch.groups.hasCommitted(seen.raw)) ? true : undefined;
    const { kind } = seen.request;
    const groups = this.#stream.topicPrefix + providerGroup(this.provider.name);
    await this.wait(isConsumed, () => notCommitted(kind, groups));
  }

  /** @throws CertifyFailure where an update of the order was refused */
  requireNoRefusal(orderId: string): void {
    const refused = this.watch.receipts.find(
      (one) => one.order_id === orderId && one.outcome === "refused",
    );
    if (refused !== undefined) throw new CertifyFailure(refusedUpdate(refused));
  }

  /** Sends a request once more, as the platform does to a carrier that has not answered. */
  async repeat({ raw: { topic, key, value, headers } }: SeenRequest): Promise<void> {
    const messageId = randomUUID();
    await this.#stream.producer.send([{ topic, key, value, headers, messageId }]);
  }

  /** Publishes what a carrier that requests numbers reports through the provider. */
  async publishPortOut(update: PortOutUpdate): Promise<void> {
    const messageId = newId(new Date());
    const key = update.phone_numbers[0] ?? "";
    const address = { key, messageId, message: update };
    await this.#stream.producer.send([outgoing(this.#stream, "carriers.port-outs", address)]);
  }

  /** Why the service itself may be late, as a sentence; null where it is not, or the desk does not say. */
  async serviceDelay(): Promise<string | null> {
    return delayOf(await this.maker.http.desk("/health").catch(() => null));
  }

  wait<T>(find: () => T | undefined | Promise<T | undefined>, what: () => Shortfall): Promise<T> {
    return waitFor(find, { timeoutMs: this.maker.timeoutMs, what });
  }
}
