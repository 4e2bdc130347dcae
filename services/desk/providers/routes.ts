import {
  MANUAL_CARRIER,
  type DirectoryCarrier,
} from "../../domain/carrier/rules/carrier-directory.ts";
import {
  takesRequest,
  type Provider,
  type Providers,
} from "../../domain/carrier/rules/provider.ts";
import type { OrderStatus } from "../../domain/order/rules/order.ts";
import { factsOf } from "../../domain/order/rules/status-facts.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { carrierAnswer, providerAnswer, wholeListOf } from "./answers.ts";
import {
  countOpenOrders,
  countRejections,
  readLastUpdates,
  readOrdersToCall,
  type OrderToCall,
  type Party,
} from "./store.ts";

const FRESH_MS = 2_000;

type ProviderDeps = Pick<DeskDeps, "bus" | "providers" | "directory">;

/** What the carrier files hold of providers and carriers, and how their orders stand. */
export function providerRoutes(deps: ProviderDeps): DeskRoute[] {
  const providers = cachedFor(FRESH_MS, deps.bus.clock, (db: Queryable) => readProviders(db, deps));
  const carriers = cachedFor(FRESH_MS, deps.bus.clock, (db: Queryable) => readCarriers(db, deps));
  return [
    viewer.GET("/desk/v1/providers", "List the providers", {
      description:
        "Every file of `CARRIERS_DIR/providers`: its statuses, codes, capabilities, hours and contact, with its last update, open orders, rejections and the orders that wait for a call. At most 2 seconds old.",
      answers: { 200: wholeListOf(providerAnswer) },
      handle: async ({ db }) => ok({ data: await providers(db), has_more: false }),
    }),
    viewer.GET("/desk/v1/carriers", "List the losing carriers", {
      description:
        "Every carrier of `CARRIERS_DIR/directory.json`, with its provider and how its orders stand. At most 2 seconds old.",
      answers: { 200: wholeListOf(carrierAnswer) },
      handle: async ({ db }) => ok({ data: await carriers(db), has_more: false }),
    }),
  ];
}

async function readProviders(db: Queryable, { bus, providers, directory }: ProviderDeps) {
  const names = [...providers.keys()].toSorted();
  const now = bus.clock.now();
  const figures = await readFigures(db, { party: "provider", names, providers, now });
  return names.flatMap((name) => {
    const provider = providers.get(name);
    if (provider === undefined) return [];
    const carriers = directory.carriers().filter((one) => one.provider === name);
    return [{ ...presentProvider(provider, carriers, now), ...figures(name) }];
  });
}

function presentProvider(
  { name, title, capabilities, statuses, codes, businessHours, contact }: Provider,
  carriers: readonly DirectoryCarrier[],
  now: Date,
) {
  return {
    ...{ name, title, capabilities, contact },
    statuses: [...statuses].map(([raw_status, kind]) => ({ raw_status, kind })),
    codes: [...codes].map(([raw_code, code]) => ({ raw_code, code })),
    business_hours: businessHours,
    open_now: isOpenAt(businessHours, now),
    carriers: carriers.map((one) => one.name),
  };
}

async function readCarriers(db: Queryable, { bus, providers, directory }: ProviderDeps) {
  const carriers = directory.carriers();
  const now = bus.clock.now();
  const names = carriers.map(({ name }) => name);
  const figures = await readFigures(db, { party: "carrier", names, providers, now });
  return carriers.map(({ name, provider, contact, prefixes }) => {
    const served = provider === null ? undefined : providers.get(provider);
    const hours = served?.businessHours ?? null;
    return {
      ...{ name, provider, prefixes },
      contact: contact ?? served?.contact ?? null,
      business_hours: hours,
      open_now: hours === null ? null : isOpenAt(hours, now),
      ...figures(name.toLowerCase()),
    };
  });
}

interface FiguresRequest {
  readonly party: Party;
  readonly names: readonly string[];
  readonly providers: Providers;
  readonly now: Date;
}

/** How the orders of each party stand, in four statements for all of them; by name, a carrier's in lower case. */
async function readFigures(
  db: Queryable,
  { party, names, providers, now }: FiguresRequest,
): Promise<(name: string) => Figures> {
  const byHand = providersByHand(providers);
  const [words, open, rejections, calls] = await Promise.all([
    readLastUpdates(db, party, names),
    countOpenOrders(db, party),
    countRejections(db, party, now),
    readOrdersToCall(db, party, { byHand, now }),
  ]);
  return (name) => {
    const ofParty = (one: { readonly party: string }): boolean => one.party === name;
    const word = words.find(ofParty);
    const ownCalls = calls.filter(ofParty);
    return {
      last_word:
        word === undefined ? null : { at: word.at, porting_order_id: word.porting_order_id },
      open_orders: open.find(ofParty)?.count ?? 0,
      rejections: rejections.filter(ofParty).map(({ code, count }) => ({ code, count })),
      orders_to_call_count: ownCalls[0]?.count ?? 0,
      orders_to_call: ownCalls.map(presentCall),
    };
  };
}

interface Figures {
  readonly last_word: { readonly at: Date; readonly porting_order_id: string | null } | null;
  readonly open_orders: number;
  readonly rejections: readonly { readonly code: string | null; readonly count: number }[];
  readonly orders_to_call_count: number;
  readonly orders_to_call: readonly ReturnType<typeof presentCall>[];
}

function presentCall(order: OrderToCall) {
  const { id, account, status, provider, losing_carrier, customer_reference } = order;
  const { first_number, numbers_count, foc_actual, waiting_since } = order;
  return {
    ...{ id, account, status, provider, losing_carrier, customer_reference },
    ...{ first_number, numbers_count, foc_actual, waiting_since },
    reason: order.alert ?? callReason(status),
  };
}

/**
 * A read whose result serves everybody for a while, whatever they give it; those who ask meanwhile share one read. A failure
 * is not kept.
 */
export function cachedFor<T, Given extends readonly unknown[]>(
  ms: number,
  clock: Clock,
  read: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  let current: { readonly until: number; readonly result: Promise<T> } | null = null;
  return (...given) => {
    const now = clock.now().getTime();
    if (current !== null && now < current.until) return current.result;
    const started = { until: now + ms, result: read(...given) };
    current = started;
    started.result.catch(() => {
      if (current === started) current = null;
    });
    return started.result;
  };
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Whether the instant is within the hours, in their own time zone. */
export function isOpenAt(
  { time_zone: timeZone, days, from, to }: Provider["businessHours"],
  at: Date,
): boolean {
  const format = { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
  const parts = new Intl.DateTimeFormat("en-GB", { ...format, hourCycle: "h23" }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
  const time = `${part("hour")}:${part("minute")}`;
  return days.includes(DAYS.indexOf(part("weekday")) + 1) && time >= from && time < to;
}

/** Providers whose orders move only by what people learn by phone or mail: `manual`, and those whose integration takes no order. */
function providersByHand(providers: Providers): string[] {
  return [...providers.keys()].filter(
    (name) => name === MANUAL_CARRIER || !takesRequest(providers, name, "submit"),
  );
}

/** What a call is about, for an order that nobody was alerted to. */
function callReason(status: OrderStatus): string {
  switch (factsOf(status).awaited) {
    case "acknowledged":
      return "The request has to be given to the carrier.";
    case "carrier_date":
      return "The carrier has to name a date.";
    case "activating":
      return "The port date has come; the carrier has to start the move.";
    case "numbers":
      return "The carrier has to report which numbers are active.";
    case "cancel_answer":
      return "The carrier has to confirm or refuse the cancellation.";
    case null:
      return "The desk was alerted.";
  }
}
