import { z } from "zod";
import { STATUS_UPDATE_KINDS, type StatusUpdateKind } from "../../order/rules/status-update.ts";
import { EXCEPTION_CATALOGUE } from "../../order/rules/exception-catalogue.ts";
import { carrierContact, type CarrierContact } from "./carrier-directory.ts";
import { AppError } from "../../../platform/errors.ts";

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

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** A fault of a carrier file: where it is, as a JSON pointer, and what is wrong. */
export interface CarrierFileFault {
  readonly pointer: string;
  readonly detail: string;
}

/** Every fault of a provider's JSON that keeps it from being used. */
export function findProviderFaults(json: string): CarrierFileFault[] {
  const parsed = parseJson(json);
  if ("fault" in parsed) return [{ pointer: "#", detail: parsed.fault }];
  const { error } = content.safeParse(parsed.value);
  return (error?.issues ?? []).map(({ path, message }) => ({
    pointer: `#/${path.join("/")}`,
    detail: message,
  }));
}

/**
 * Parses a provider's JSON.
 * @throws `invalid_config` with every fault
 */
export function parseProvider(name: string, json: string): Provider {
  const parsed = parseJson(json);
  if ("fault" in parsed) {
    throw new AppError("invalid_config", `The file of provider ${name} is not valid JSON.`, {
      cause: parsed.cause,
    });
  }
  const checked = content.safeParse(parsed.value);
  if (!checked.success) {
    const faults = checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new AppError(
      "invalid_config",
      `The file of provider ${name} is not valid. ${faults.join("; ")}.`,
    );
  }
  const { title, statuses, codes, capabilities, contact = null } = checked.data;
  const { business_hours: businessHours } = checked.data;
  return {
    name,
    title,
    statuses: new Map(Object.entries(statuses)),
    codes: new Map(Object.entries(codes)),
    capabilities,
    businessHours,
    contact,
  };
}

type ParsedJson = { readonly value: unknown } | { readonly fault: string; readonly cause: unknown };

function parseJson(json: string): ParsedJson {
  try {
    return { value: JSON.parse(json) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { fault: `not valid JSON: ${why}`, cause };
  }
}
