import type { MessageContext, OutgoingMessage } from "../../../messages/bus/outgoing.ts";
import {
  inTransaction,
  queryRows,
  type Database,
  type Queryable,
} from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { newId } from "../../../platform/ids.ts";
import { writeOutbox } from "../../../platform/outbox/outbox.ts";
import type { Sealed, SecretBox } from "../../../platform/secret-box.ts";
import { eventMessage, newEvent } from "../../event/rules/new-event.ts";
import { NUMBER_COLUMNS, unknownNumber } from "./numbers.ts";
import type { Providers } from "../../carrier/rules/provider.ts";
import {
  forwardingHandler,
  forwardingRequest,
  isAskedToForward,
  type Hosted,
} from "../rules/forwarding.ts";
import { labelsOf, type NumberSettings } from "../rules/number-settings.ts";
import type { Forwarding, PlatformNumber } from "../rules/platform-number.ts";
import { sealPin } from "../rules/port-out-pin.ts";

interface NumberContext extends MessageContext {
  readonly db: Database;
  /** The carriers' integrations, which forward calls or do not. */
  readonly providers: Providers;
}

type Destinations = Pick<Forwarding, "primary" | "fallback">;

/** A customer's change of a number. */
export interface NumberChange {
  readonly patch: NumberSettings;
  readonly now: Date;
  /** Further writes in the same transaction, such as the audit row. */
  readonly also?: (tx: Queryable, before: PlatformNumber, after: PlatformNumber) => Promise<void>;
}

interface NumberAddress {
  readonly accountId: string;
  readonly phoneNumber: string;
}

/**
 * Changes a number's settings; forwarding is passed on to the carrier that hosts the number.
 * @throws `not_found`, `invalid_state`
 */
export async function patchNumber(
  context: NumberContext & { readonly box: SecretBox },
  address: NumberAddress,
  { patch, now, also }: NumberChange,
): Promise<PlatformNumber> {
  const { forwarding, port_out_pin: pin } = patch;
  return inTransaction(context.db, async (tx) => {
    const number = await lockNumber(tx, address);
    const saved = { ...number, ...settingsOf(context.providers, number, patch) };
    await saveSettings(tx, address, saved);
    if (forwarding !== undefined) {
      await writeOutbox(tx, [forwardingRequest(context, saved, now)]);
    }
    if (pin !== undefined) {
      await savePin(tx, address, pin === null ? null : sealedPin(context.box, address, pin));
    }
    const after = pin === undefined ? saved : { ...saved, port_out_pin_set: pin !== null };
    await also?.(tx, number, after);
    return after;
  });
}

function settingsOf(providers: Providers, number: PlatformNumber, patch: NumberSettings) {
  const { forwarding, port_out_lock } = patch;
  const isUnchanged = forwarding === undefined;
  return {
    port_out_lock: port_out_lock ?? number.port_out_lock,
    forwarding: isUnchanged ? number.forwarding : handled(providers, forwarding, number),
    ...labelsOf(patch, number),
  };
}

function handled(
  providers: Providers,
  forwarding: Destinations | null,
  { provider }: Hosted,
): Forwarding | null {
  if (forwarding === null) return null;
  return { ...forwarding, handled_by: forwardingHandler(providers, provider) };
}

async function lockNumber(
  tx: Queryable,
  { accountId, phoneNumber }: NumberAddress,
): Promise<PlatformNumber> {
  const [number] = await queryRows<PlatformNumber>(tx, {
    name: "number-lock",
    text: `select ${NUMBER_COLUMNS} from orders.numbers
      where account_id = $1 and phone_number = $2 for update`,
    values: [accountId, phoneNumber],
  });
  if (number === undefined) throw unknownNumber();
  if (number.status === "ported_out" || number.status === "released") {
    throw new AppError("invalid_state", "The number has left the account.");
  }
  return number;
}

async function saveSettings(
  tx: Queryable,
  { accountId, phoneNumber }: NumberAddress,
  saved: PlatformNumber,
): Promise<void> {
  const { forwarding, port_out_lock } = saved;
  await queryRows(tx, {
    name: "number-settings",
    text: `update orders.numbers set forwarding = $3, port_out_lock = $4, configuration = $5
      where account_id = $1 and phone_number = $2`,
    values: [accountId, phoneNumber, toJson(forwarding), port_out_lock, labelsOf(saved, saved)],
  });
}

function sealedPin(box: SecretBox, { accountId, phoneNumber }: NumberAddress, pin: string): Sealed {
  return sealPin(box, { account_id: accountId, phone_number: phoneNumber }, pin);
}

async function savePin(
  tx: Queryable,
  { accountId, phoneNumber }: NumberAddress,
  pin: Sealed | null,
): Promise<void> {
  await queryRows(tx, {
    name: "number-pin",
    text: `update orders.numbers set port_out_pin = $3, port_out_pin_key_id = $4
      where account_id = $1 and phone_number = $2`,
    values: [accountId, phoneNumber, pin?.bytes ?? null, pin?.keyId ?? null],
  });
}

function toJson(forwarding: Forwarding | null): string | null {
  return forwarding === null ? null : JSON.stringify(forwarding);
}

interface HostedNumber extends PlatformNumber {
  readonly account_id: string;
  readonly event_sequence: number;
}

interface NewProvider {
  readonly provider: string;
  readonly now: Date;
  /** Further writes in the same transaction, such as the audit row. */
  readonly also: (tx: Queryable, before: HostedNumber) => Promise<void>;
}

/**
 * Corrects the provider that hosts a number, whichever account owns it, and applies its forwarding at the new provider.
 * The same provider changes nothing. @throws `not_found`
 */
export async function changeProvider(
  context: NumberContext,
  phoneNumber: string,
  { provider, now, also }: NewProvider,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const [before] = await queryRows<HostedNumber>(tx, {
      name: "number-lock-any",
      text: `select account_id, event_sequence, ${NUMBER_COLUMNS} from orders.numbers
        where phone_number = $1 and status <> 'ported_out' for update`,
      values: [phoneNumber],
    });
    if (before === undefined) throw unknownNumber();
    if (before.provider === provider) return;
    const moved = { ...before, provider, event_sequence: before.event_sequence + 1 };
    const after = { ...moved, forwarding: handled(context.providers, before.forwarding, moved) };
    await queryRows(tx, {
      name: "number-provider",
      text: `update orders.numbers set provider = $3, forwarding = $4, event_sequence = $5
        where account_id = $1 and phone_number = $2`,
      values: [
        after.account_id,
        phoneNumber,
        provider,
        toJson(after.forwarding),
        after.event_sequence,
      ],
    });
    const messages = [providerChanged(context, { before, after }, now)];
    if (after.forwarding !== null) messages.push(forwardingRequest(context, after, now));
    await writeOutbox(tx, messages);
    await also(tx, before);
  });
}

function providerChanged(
  context: NumberContext,
  { before, after }: { readonly before: HostedNumber; readonly after: HostedNumber },
  now: Date,
): OutgoingMessage {
  const { phone_number, country_code, number_type } = after;
  const payload = {
    phone_number,
    previous_provider: before.provider,
    new_provider: after.provider,
    forwarding_reapplied:
      after.forwarding !== null && isAskedToForward(context.providers, after.provider),
  };
  const event = newEvent("number.provider_changed", payload, {
    id: newId(now),
    account_id: after.account_id,
    order_id: after.porting_order_id,
    sequence_key: phone_number,
    order_sequence: after.event_sequence,
    created_at: now,
    context: { provider: after.provider, country_code, number_type, actor: "desk" },
  });
  return eventMessage(context, event);
}
