import { z } from "zod";
import { STATUS_UPDATE_KINDS, type StatusUpdateKind } from "../../order/rules/status-update.ts";
import { EXCEPTION_CATALOGUE } from "../../order/rules/exception-catalogue.ts";
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
  /** The requests that the carrier acts on; it ignores the others. */
  capabilities: z.array(z.enum(REQUEST_KINDS)).min(1),
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
}

/** Providers by name. */
export type Providers = Pick<ReadonlyMap<string, Provider>, "get" | "has">;

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses a provider's JSON.
 * @throws `invalid_config` with every fault
 */
export function parseProvider(name: string, json: string): Provider {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (cause) {
    throw new AppError("invalid_config", `The file of provider ${name} is not valid JSON.`, {
      cause,
    });
  }
  const checked = content.safeParse(parsed);
  if (!checked.success) {
    const faults = checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new AppError(
      "invalid_config",
      `The file of provider ${name} is not valid. ${faults.join("; ")}.`,
    );
  }
  const { title, statuses, codes, capabilities, business_hours: businessHours } = checked.data;
  return {
    name,
    title,
    statuses: new Map(Object.entries(statuses)),
    codes: new Map(Object.entries(codes)),
    capabilities,
    businessHours,
  };
}
