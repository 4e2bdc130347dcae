import { z } from "zod";
import { AppError } from "../../../platform/errors.ts";

const MANUAL_CARRIER = "manual";
const LONGEST_PREFIX = 16;

const content = z
  .strictObject({
    /** By name; `provider` where another than the deployment's default serves the carrier. */
    carriers: z.record(
      z.string().min(1),
      z.strictObject({ provider: z.string().min(1).optional() }),
    ),
    /** From the beginning of a number in E.164 to a name of `carriers`. */
    prefixes: z.record(z.string().regex(/^\+[1-9]\d{0,14}$/), z.string()),
  })
  .superRefine(({ carriers, prefixes }, context) => {
    for (const [prefix, carrier] of Object.entries(prefixes)) {
      if (Object.hasOwn(carriers, carrier)) continue;
      context.addIssue({ code: "custom", path: ["prefixes", prefix], message: "unknown carrier" });
    }
  });

/** Which carrier a number is with, and which provider ports from it. */
export interface CarrierDirectory {
  /** By the longest prefix that is listed; null where none is. */
  carrierOf(phoneNumber: string): string | null;
  /** Null where the directory names none: then the deployment's default serves it. */
  providerOf(carrier: string | null): string | null;
}

/**
 * The directory from its JSON. Names are compared without regard to case.
 * @throws `invalid_config` where it is not one
 */
export function parseCarrierDirectory(json: string): CarrierDirectory {
  const { carriers, prefixes } = readContent(json);
  const carrierByPrefix = new Map(Object.entries(prefixes));
  const providerByCarrier = new Map(
    Object.entries(carriers).map(([name, { provider }]) => [name.toLowerCase(), provider]),
  );
  return {
    carrierOf: (phoneNumber) => {
      for (let length = LONGEST_PREFIX; length > 1; length -= 1) {
        const carrier = carrierByPrefix.get(phoneNumber.slice(0, length));
        if (carrier !== undefined) return carrier;
      }
      return null;
    },
    providerOf: (carrier) => {
      if (carrier === null) return null;
      if (carrier === MANUAL_CARRIER) return MANUAL_CARRIER;
      return providerByCarrier.get(carrier.toLowerCase()) ?? null;
    },
  };
}

function readContent(json: string): z.output<typeof content> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (cause) {
    throw new AppError("invalid_config", "The carriers' directory is no JSON.", { cause });
  }
  const checked = content.safeParse(parsed);
  if (checked.success) return checked.data;
  const faults = checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new AppError("invalid_config", `The carriers' directory is wrong. ${faults.join("; ")}.`);
}
