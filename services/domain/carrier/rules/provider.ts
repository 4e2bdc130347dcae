import { z } from "zod";
import { STATUS_UPDATE_KINDS, type StatusUpdateKind } from "../../order/rules/status-update.ts";
import { EXCEPTION_CATALOGUE } from "../../order/rules/exception-catalogue.ts";
import { isTimeZone } from "../../../platform/calendar/time-zone.ts";
import {
  findTermsFaults,
  termsChanges,
  type TermsChanges,
} from "../../terms/rules/country-terms.ts";
import { carrierContact, type CarrierContact } from "./carrier-directory.ts";
import { readCarrierFile, requireUsable, type CarrierFile } from "./carrier-file.ts";

/** The kinds of request to a carrier (docs/contract/messages.md, What integrations publish). */
export const REQUEST_KINDS = [
  "submit",
  "supplement",
  "cancel",
  "activate",
  "port_out_decision",
  "apply_forwarding",
] as const;

const CODES = EXCEPTION_CATALOGUE.map((one) => one.code);
const CLOCK_TIME = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/);

const content = z.strictObject({
  title: z.string().min(1),
  /** Raw status → kind of status update. */
  statuses: z.record(z.string().min(1), z.enum(STATUS_UPDATE_KINDS)),
  /** Raw code → canonical code; canonical codes need no entry. */
  codes: z.record(z.string().min(1), z.enum(CODES)),
  /** The requests that are sent to the carrier's integration; the others are left out. */
  capabilities: z.array(z.enum(REQUEST_KINDS)).min(1),
  /** How its people are reached. */
  contact: carrierContact.optional(),
  /** When the carrier is staffed; days from 1 (Monday) to 7. */
  business_hours: z.strictObject({
    time_zone: z.string().refine(isTimeZone, "not a time zone"),
    days: z.array(z.int().min(1).max(7)).min(1),
    from: CLOCK_TIME,
    to: CLOCK_TIME,
  }),
  /** What it says otherwise than a country's terms, by the country in lower case. */
  terms: z.record(z.string(), termsChanges.omit({ ranges: true, document_ages: true })).optional(),
});

/** Maps a provider's statuses and codes to ours, for updates without a kind. Matching is exact and case-sensitive. */
export interface Provider {
  readonly name: string;
  readonly title: string;
  readonly statuses: ReadonlyMap<string, StatusUpdateKind>;
  readonly codes: ReadonlyMap<string, string>;
  readonly capabilities: z.output<typeof content>["capabilities"];
  readonly businessHours: z.output<typeof content>["business_hours"];
  readonly contact: CarrierContact | null;
  /** What it says otherwise than a country's terms, by the country in lower case. */
  readonly terms: ReadonlyMap<string, TermsChanges>;
}

/** Providers by name. */
export type Providers = Pick<ReadonlyMap<string, Provider>, "get" | "has" | "keys">;

/** Whether a request of that kind is sent to the provider; one without a file gets every request. */
export function takesRequest(
  providers: Pick<Providers, "get">,
  name: string,
  kind: string,
): boolean {
  const provider = providers.get(name);
  return provider === undefined || provider.capabilities.some((one) => one === kind);
}

/** Every fault of a provider's JSON that keeps it from being used. */
export function readProvider(name: string, json: string): CarrierFile<Provider> {
  const read = readCarrierFile(content, json);
  if ("faults" in read) return read;
  const { title, statuses, codes, capabilities, contact = null, terms = {} } = read.data;
  const faults = Object.entries(terms).flatMap(([country, changes]) =>
    findTermsFaults(country.toUpperCase(), changes).map(({ pointer, detail }) => ({
      pointer: `#/terms/${country}${pointer.slice(1)}`,
      detail,
    })),
  );
  if (faults.length > 0) return { faults };
  return {
    data: {
      name,
      title,
      statuses: new Map(Object.entries(statuses)),
      codes: new Map(Object.entries(codes)),
      capabilities,
      businessHours: read.data.business_hours,
      contact,
      terms: new Map(Object.entries(terms)),
    },
  };
}

/**
 * Parses a provider's JSON.
 * @throws `invalid_config` with every fault
 */
export function parseProvider(name: string, json: string): Provider {
  return requireUsable(`providers/${name}.json`, readProvider(name, json));
}
