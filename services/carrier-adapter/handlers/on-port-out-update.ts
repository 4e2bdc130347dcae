import { sourceHeaders, sourceOf, writeReceipt } from "../../domain/carrier/receipts.ts";
import { APPLIED, ignored, portDate } from "../../domain/carrier/rules/read-update.ts";
import { findPortOutFault, unknownProvider } from "../../domain/carrier/rules/carrier-faults.ts";
import { confirmRepeat } from "../receipts/carrier-receipts.ts";
import {
  claimPortOutUpdate,
  lockPortOutRequest,
  notePortOutRequest,
  readOwnedPins,
  type KnownPortOut,
} from "../store/port-out-updates.ts";
import { hashContent, type ContentHash } from "../store/update-claims.ts";
import type { PinMacs } from "../pin-macs.ts";
import { pinMatches, type StoredPin } from "../../domain/number/rules/port-out-pin.ts";
import {
  REQUESTER_FIELDS,
  requesterOf,
  sealRequester,
} from "../../domain/port-out/rules/requester.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { CarrierResultKind } from "../../messages/generated/carrier-result.ts";
import type { PortOutUpdate } from "../../messages/generated/port-out-update.ts";
import { following, outgoing } from "../../messages/bus/outgoing.ts";
import type { HandleOnce } from "../../messages/bus/topic-consumer.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { Sealed, SecretBox } from "../../platform/secret-box.ts";
import type { Providers } from "../../domain/carrier/rules/provider.ts";

const RESULT_KIND = {
  requested: "port_out_requested",
  cancelled: "port_out_cancelled",
  completed: "port_out_completed",
  unrecognized: "unrecognized",
} as const satisfies Record<PortOutUpdate["kind"], CarrierResultKind>;

const REQUESTED_AGAIN = ignored(
  "already_requested",
  "The port-out is known; its decision, if there is one, is sent again.",
);

/**
 * Leaves out PIN and account number, which `PinMacs` compares: their few digits could be found from this hash by trying all.
 */
export function contentHash({
  attempted_pin,
  account_number,
  ...hashed
}: PortOutUpdate): ContentHash {
  const account = account_number === null ? {} : { account_given: true };
  // Where nothing is stated, the content is that of versions which knew none of these fields.
  const stated = ([name, value]: readonly [string, unknown]) => value !== null || !STATED.has(name);
  const given = Object.fromEntries(Object.entries(hashed).filter(stated));
  return hashContent({ ...given, ...account, pin_given: attempted_pin !== null });
}

const STATED: ReadonlySet<string> = new Set(REQUESTER_FIELDS);

/** What is compared under a key: the PIN alone, as versions without account numbers stored it, where there is none. */
function secretOf({ attempted_pin: pin, account_number: account }: PortOutUpdate): string | null {
  return account === null ? pin : JSON.stringify([pin, account]);
}

/** The part of an update that concerns one account's numbers. */
interface Part {
  readonly phone_numbers: readonly string[];
  readonly pin_matches: boolean | null;
}

export interface PortOutParts {
  /** Decrypts the PINs of numbers. */
  readonly box: SecretBox;
  readonly pinMacs: PinMacs;
  readonly providers: Providers;
}

/** Checks another carrier's update on a port-out and sends it on once, without the PIN, as one result per account. */
export function onPortOutUpdate(
  bus: Bus,
  { box, pinMacs, providers }: PortOutParts,
): HandleOnce<PortOutUpdate> {
  return async (tx, { message: update, raw }) => {
    const now = bus.clock.now();
    const fault = findPortOutFault(update, now);
    if (fault !== null) throw new AppError("rule_broken", `${fault.pointer}: ${fault.detail}`);
    if (!providers.has(update.provider)) {
      throw unknownProvider(update.provider);
    }
    const { provider, update_id: updateId } = update;
    const writer = { ...following(bus, raw), tx };
    const subject = { provider, update_id: updateId, port_out_ref: update.port_out_ref };
    const { partition, offset } = raw;
    const given = { provider, updateId, pin: secretOf(update) };
    const claim = await claimPortOutUpdate(tx, {
      ...{ provider, updateId, at: now, partition, offset },
      contentHash: contentHash(update),
      pinMac: pinMacs.of(given),
      isSamePin: (stored) => pinMacs.mayBe(stored, given),
    });
    if (claim !== "first") return confirmRepeat(writer, { claim, raw, subject });
    const known = await knownPortOut(tx, update, sealedRequester(box, update));
    const parts = await partsOf(tx, box, update);
    const ids = newIds(now, parts.length);
    const source = sourceOf(raw);
    const messages = parts.map((part, n) => {
      const result = {
        provider,
        update_id: updateId,
        kind: RESULT_KIND[update.kind],
        raw_status: update.kind,
        port_out_ref: update.port_out_ref,
        gaining_carrier: update.gaining_carrier,
        requested_foc: portDate(update.requested_foc),
        foc_at: portDate(update.foc_at),
        occurred_at: update.occurred_at,
        ...part,
      };
      const address = { key: known.message_key, messageId: ids[n] ?? "" };
      const message = outgoing(writer, "porting.carrier-results", { ...address, message: result });
      return { ...message, headers: { ...message.headers, ...sourceHeaders(source) } };
    });
    await writeOutbox(tx, messages);
    if (update.kind !== "requested") return;
    const outcome = known.is_new ? APPLIED : REQUESTED_AGAIN;
    await writeReceipt(writer, { source, subject, outcome, at: now });
  };
}

/**
 * The port-out that the update is about, locked, so that its results keep their order. Later updates may only name
 * numbers of the first request: no account has a record of others.
 */
async function knownPortOut(
  tx: Queryable,
  update: PortOutUpdate,
  requester: Sealed | null,
): Promise<KnownPortOut> {
  const known =
    update.kind === "requested"
      ? await notePortOutRequest(tx, update, requester)
      : await lockPortOutRequest(tx, update);
  if (known === null) {
    throw new AppError(
      "unknown_port_out",
      "The provider has not requested a port-out under that reference.",
    );
  }
  requireRequested(known.phone_numbers, update.phone_numbers);
  return known;
}

/** What is stated goes no further over topics: it is read where the request is kept. */
function sealedRequester(box: SecretBox, update: PortOutUpdate): Sealed | null {
  const requester = requesterOf(update);
  return requester === null ? null : sealRequester(box, update, requester);
}

/** @throws `rule_broken` for a number that was not requested */
export function requireRequested(requested: readonly string[], named: readonly string[]): void {
  const known = new Set(requested);
  const foreign = named.findIndex((number) => !known.has(number));
  if (foreign < 0) return;
  throw new AppError(
    "rule_broken",
    `#/phone_numbers/${foreign}: The number is not in the port-out.`,
  );
}

async function partsOf(tx: Queryable, box: SecretBox, update: PortOutUpdate): Promise<Part[]> {
  const { kind, phone_numbers } = update;
  if (kind !== "requested") return [{ phone_numbers, pin_matches: null }];
  return requestedParts(box, update, await readOwnedPins(tx, phone_numbers));
}

/** One part per account, whose own PINs are compared; the last has the numbers of no account. */
export function requestedParts(
  box: SecretBox,
  { phone_numbers, attempted_pin }: Pick<PortOutUpdate, "phone_numbers" | "attempted_pin">,
  owned: readonly StoredPin[],
): Part[] {
  const byAccount = new Map<string, StoredPin[]>();
  for (const pin of owned) {
    byAccount.set(pin.account_id, [...(byAccount.get(pin.account_id) ?? []), pin]);
  }
  const known = new Set(owned.map((pin) => pin.phone_number));
  const unknown = phone_numbers.filter((number) => !known.has(number));
  const parts = [...byAccount.values()].map((pins) => ({
    phone_numbers: pins.map((pin) => pin.phone_number),
    pin_matches: pinMatches(box, pins, attempted_pin),
  }));
  return unknown.length === 0 ? parts : [...parts, { phone_numbers: unknown, pin_matches: null }];
}
