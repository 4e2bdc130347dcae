import type { Sealed, SecretBox } from "../../../platform/secret-box.ts";
import type { Providers } from "../../carrier/rules/provider.ts";
import { forwardingHandler } from "./forwarding.ts";
import type { Forwarding } from "./platform-number.ts";
import { sealPin } from "./port-out-pin.ts";

/** What a customer sets beside forwarding and protection: labels, and its own references, which mean nothing here. */
export interface NumberLabels {
  readonly tags?: readonly string[] | undefined;
  readonly connection_ref?: string | null | undefined;
  readonly messaging_ref?: string | null | undefined;
  readonly emergency_address_ref?: string | null | undefined;
}

/** The settings that a customer can give; absent ones keep their values, and a null PIN removes the PIN. */
export interface NumberSettings extends NumberLabels {
  readonly forwarding?: Pick<Forwarding, "primary" | "fallback"> | null | undefined;
  readonly port_out_lock?: boolean | undefined;
  readonly port_out_pin?: string | null | undefined;
}

export type Labels = Required<{
  readonly [K in keyof NumberLabels]: Exclude<NumberLabels[K], undefined>;
}>;

/** The labels with what is given of them. */
export function labelsOf(given: NumberLabels, { tags, ...refs }: Labels): Labels {
  const { connection_ref, messaging_ref, emergency_address_ref } = given;
  return {
    tags: given.tags ?? tags,
    connection_ref: connection_ref === undefined ? refs.connection_ref : connection_ref,
    messaging_ref: messaging_ref === undefined ? refs.messaging_ref : messaging_ref,
    emergency_address_ref:
      emergency_address_ref === undefined ? refs.emergency_address_ref : emergency_address_ref,
  };
}

/** How an order's numbers are set as they become active: what a number has of its own wins. */
export interface NumberConfiguration {
  readonly default?: NumberSettings | undefined;
  readonly numbers?: Readonly<Record<string, NumberSettings>> | undefined;
}

/** Settings as they are stored with an order and shown: without the PIN. */
export type ShownSettings = NumberLabels & {
  readonly forwarding?: Forwarding | null;
  readonly port_out_lock?: boolean;
  readonly port_out_pin_set?: boolean;
};

export interface ShownConfiguration {
  readonly default: ShownSettings;
  readonly numbers: Readonly<Record<string, ShownSettings>>;
}

interface ConfiguredOrder {
  readonly account_id: string;
  readonly provider: string;
  readonly numbers: readonly { readonly phone_number: string }[];
}

interface StoredConfiguration {
  readonly shown: ShownConfiguration;
  /** The PIN that each of the numbers will have, encrypted for it. */
  readonly pins: readonly { readonly phone_number: string; readonly sealed: Sealed }[];
}

/** What is stored of a configuration with one of the orders that it was given for. */
export function storedConfiguration(
  { box, providers }: { readonly box: SecretBox; readonly providers: Providers },
  { account_id, provider, numbers }: ConfiguredOrder,
  { default: usual = {}, numbers: own = {} }: NumberConfiguration,
): StoredConfiguration {
  const show = (settings: NumberSettings) => shownSettings(settings, { providers, provider });
  const named = numbers.filter(({ phone_number }) => own[phone_number] !== undefined);
  const pins = numbers.flatMap(({ phone_number }) => {
    const { port_out_pin: pin = null } = { ...usual, ...own[phone_number] };
    const owner = { account_id, phone_number };
    return pin === null ? [] : [{ phone_number, sealed: sealPin(box, owner, pin) }];
  });
  const shown = named.map(({ phone_number: name }) => [name, show(own[name] ?? {})] as const);
  return { shown: { default: show(usual), numbers: Object.fromEntries(shown) }, pins };
}

function shownSettings(
  { forwarding, port_out_pin: pin, ...settings }: NumberSettings,
  { providers, provider }: { readonly providers: Providers; readonly provider: string },
): ShownSettings {
  const handled_by = forwardingHandler(providers, provider);
  const { port_out_lock: lock, ...labels } = settings;
  return {
    ...(forwarding !== undefined && {
      forwarding: forwarding === null ? null : { ...forwarding, handled_by },
    }),
    ...(lock !== undefined && { port_out_lock: lock }),
    ...(pin !== undefined && { port_out_pin_set: pin !== null }),
    ...labels,
  };
}
