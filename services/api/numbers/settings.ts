import { z } from "zod";
import { phoneNumberField } from "../../domain/number/answers/number-fields.ts";
import { isPossibleNumber } from "../../domain/number/rules/classify-number.ts";
import type {
  NumberConfiguration,
  NumberSettings,
} from "../../domain/number/rules/number-settings.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import { textUpTo, writtenText } from "../../platform/http/body/fields.ts";
import type { AccountPrincipal } from "../access/customer-routes.ts";

/** Where calls can go: a number with digits missing would lose them. */
const destination = phoneNumberField.refine(isPossibleNumber, {
  error: "It has too few or too many digits for its country.",
  params: { code: "invalid_number" },
});

function reference(of: string) {
  return textUpTo(255, z.string().min(1))
    .nullable()
    .optional()
    .describe(`Your own reference of its ${of}, up to 255 characters; null removes it`);
}

/** What a customer sets of a number. A PIN of null removes it. */
export const numberSettings = z.strictObject({
  forwarding: z
    .strictObject({
      primary: destination.describe("Where calls go first, in E.164"),
      fallback: destination
        .nullish()
        .transform((fallback) => fallback ?? null)
        .describe("Where calls go that the primary does not answer, in E.164; null for nowhere"),
    })
    .nullable()
    .optional()
    .meta({
      description: "Where calls to the number go; null switches forwarding off",
      examples: [{ primary: "+12125550199" }],
    }),
  port_out_lock: z.boolean().optional().describe("Whether every port-out is rejected"),
  port_out_pin: z
    .string()
    .regex(/^\d{4,10}$/, "It must be 4 to 10 digits, such as 4711.")
    .nullable()
    .optional()
    .describe("The PIN that a port-out must state: 4 to 10 digits; null removes it"),
  tags: z
    .array(writtenText(64))
    .max(20)
    .optional()
    .meta({ description: "Up to 20 labels of yours", examples: [["sales"]] }),
  connection_ref: reference("connection"),
  messaging_ref: reference("messaging profile"),
  emergency_address_ref: reference("emergency address"),
});

/** How numbers are set as they become active. */
export const numberConfiguration = z
  .strictObject({
    default: numberSettings.optional().describe("Of every number of the order"),
    numbers: z
      .record(z.string(), numberSettings)
      .optional()
      .meta({ description: "Of single numbers, by number in E.164; what is here wins" }),
  })
  .meta({ examples: [{ default: { port_out_lock: true } }] });

/** A number that forwards to itself would loop calls forever. */
export function loopFaults(
  phoneNumber: string,
  { forwarding = null }: NumberSettings,
  at = "#/forwarding",
): Fault[] {
  return Object.entries(forwarding ?? {})
    .filter(([, to]) => to === phoneNumber)
    .map(([name]) => ({
      pointer: `${at}/${name}`,
      code: "invalid_value",
      detail: `${phoneNumber} cannot be forwarded to itself: name another number.`,
    }));
}

const AT = "#/number_configuration";

/** The faults of a configuration for these numbers. */
export function configurationFaults(
  { default: usual = {}, numbers: own = {} }: NumberConfiguration,
  phoneNumbers: readonly string[],
): Fault[] {
  const known = new Set(phoneNumbers);
  const unknown = Object.keys(own).filter((number) => !known.has(number));
  return [
    ...unknown.map((number) => ({
      pointer: `${AT}/numbers/${number}`,
      code: "unknown_number",
      detail: `The order has no number ${number}.`,
    })),
    ...phoneNumbers.flatMap((number) => {
      const settings = own[number];
      return settings?.forwarding === undefined
        ? loopFaults(number, usual, `${AT}/default/forwarding`)
        : loopFaults(number, settings, `${AT}/numbers/${number}/forwarding`);
    }),
  ];
}

/** @throws `forbidden` */
export function refusePinInPortal({ portal }: AccountPrincipal, setsPin: boolean): void {
  if (portal === undefined || !setsPin) return;
  throw new AppError("forbidden", "A port-out PIN is set by an API key, not in the portal.");
}

export function hasPin({ default: usual, numbers = {} }: NumberConfiguration): boolean {
  return [usual, ...Object.values(numbers)].some((one) => one?.port_out_pin !== undefined);
}
