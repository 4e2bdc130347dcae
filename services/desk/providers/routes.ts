import type { Provider } from "../../domain/carrier/rules/provider.ts";
import type { DirectoryCarrier } from "../../domain/carrier/rules/carrier-directory.ts";
import { cachedFor } from "../../platform/cached-for.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { carrierAnswer, providerAnswer, wholeListOf } from "./answers.ts";
import { isOpenAt } from "./open-now.ts";
import { readFigures } from "./read-figures.ts";

const FRESH_MS = 2_000;

type ProviderDeps = Pick<DeskDeps, "bus" | "providers" | "directory">;

/** What the carrier files hold of providers and carriers, and how their orders stand. */
export function providerRoutes(deps: ProviderDeps): DeskRoute[] {
  const providers = cachedFor(FRESH_MS, deps.bus.clock, (db: Queryable) => readProviders(db, deps));
  const carriers = cachedFor(FRESH_MS, deps.bus.clock, (db: Queryable) => readCarriers(db, deps));
  return [
    viewer.GET("/desk/v1/providers", "List the providers", {
      description:
        "Every file of `CARRIERS_DIR/providers`: its words, codes, capabilities, hours and contact, with its last word, open orders, rejections and the orders that wait for a call. At most 2 seconds old.",
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
