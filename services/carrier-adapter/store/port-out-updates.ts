import type { PinMac } from "../pin-macs.ts";
import {
  claimOf,
  type Claim,
  type ContentHash,
  type KnownClaim,
  type Place,
} from "./update-claims.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { Sealed } from "../../platform/secret-box.ts";
import type { StoredPin } from "../../domain/number/rules/port-out-pin.ts";

export interface PortOutUpdateClaim extends Place {
  readonly provider: string;
  readonly updateId: string;
  readonly contentHash: ContentHash;
  readonly pinMac: PinMac | null;
  /** Whether the kept hash may be that of the update's PIN. */
  readonly isSamePin: (kept: PinMac | null) => boolean;
  readonly at: Date;
}

type KnownUpdate = KnownClaim & {
  readonly pin_mac: Buffer | null;
  readonly pin_mac_key: string | null;
};

/** Claims a provider's id of a port-out update. @throws `update_conflict` where it was used with other content */
export async function claimPortOutUpdate(tx: Queryable, claim: PortOutUpdateClaim): Promise<Claim> {
  const { provider, updateId, contentHash, pinMac, at, partition, offset } = claim;
  const claimed = await queryRows(tx, {
    name: "port-out-update-claim",
    text: `insert into carriers.port_out_updates
        (provider, update_id, content_hash, received_at, source_partition, source_offset, pin_mac, pin_mac_key)
      values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1`,
    values: [
      provider,
      updateId,
      contentHash.bytes,
      at,
      partition,
      offset,
      pinMac?.bytes ?? null,
      pinMac?.keyId ?? null,
    ],
  });
  if (claimed.length === 1) return "first";
  const [known] = await queryRows<KnownUpdate>(tx, {
    name: "port-out-update-known",
    text: `select content_hash in ($3, $4) as same, source_partition = $5 and source_offset = $6 as redelivered,
        pin_mac, pin_mac_key
      from carriers.port_out_updates where provider = $1 and update_id = $2`,
    values: [provider, updateId, contentHash.bytes, contentHash.withNulls, partition, offset],
  });
  if (known === undefined) return claimOf(known);
  return claimOf({ ...known, same: known.same && claim.isSamePin(storedMac(known)) });
}

/** Null where the update had no PIN, or a version that stored none wrote the row. */
function storedMac({ pin_mac: bytes, pin_mac_key: keyId }: KnownUpdate): PinMac | null {
  return bytes === null || keyId === null ? null : { bytes, keyId };
}

/** A carrier's name for a port-out. */
interface Named {
  readonly provider: string;
  readonly port_out_ref: string;
}

/** The numbers requested under a reference, and the message key of all its results. */
export interface KnownPortOut {
  readonly message_key: string;
  readonly phone_numbers: readonly string[];
  /** Whether this update is the one that made it known. */
  readonly is_new: boolean;
}

/** Records a request and locks its row; a known reference keeps its first numbers, and what was last stated. */
export async function notePortOutRequest(
  tx: Queryable,
  { provider, port_out_ref, phone_numbers }: Named & Pick<KnownPortOut, "phone_numbers">,
  requester: Sealed | null,
): Promise<KnownPortOut> {
  const [row] = await queryRows<KnownPortOut>(tx, {
    name: "port-out-request-note",
    text: `insert into carriers.port_out_requests as r
        (provider, port_out_ref, message_key, phone_numbers, requester, requester_key_id)
      values ($1, $2, ($3::text[])[1], $3, $4, $5)
      on conflict (provider, port_out_ref) do update set phone_numbers = r.phone_numbers,
        requester = coalesce(excluded.requester, r.requester),
        requester_key_id = coalesce(excluded.requester_key_id, r.requester_key_id)
      returning message_key, phone_numbers, xmax = 0 as is_new`,
    values: [provider, port_out_ref, phone_numbers, requester?.bytes, requester?.keyId],
  });
  return row ?? { message_key: phone_numbers[0] ?? "", phone_numbers, is_new: true };
}

/** Locks a request; null where the reference is unknown. */
export async function lockPortOutRequest(
  tx: Queryable,
  { provider, port_out_ref }: Named,
): Promise<KnownPortOut | null> {
  const [row] = await queryRows<KnownPortOut>(tx, {
    name: "port-out-request-lock",
    text: `select message_key, phone_numbers, false as is_new from carriers.port_out_requests
      where provider = $1 and port_out_ref = $2 for update`,
    values: [provider, port_out_ref],
  });
  return row ?? null;
}

interface PinRow {
  readonly account_id: string;
  readonly phone_number: string;
  readonly port_out_pin: Buffer | null;
  readonly port_out_pin_key_id: string | null;
}

/** Those of the numbers that belong to an account, with their encrypted PINs. */
export async function readOwnedPins(
  db: Queryable,
  phoneNumbers: readonly string[],
): Promise<StoredPin[]> {
  const rows = await queryRows<PinRow>(db, {
    name: "numbers-pins",
    text: `select account_id, phone_number, port_out_pin, port_out_pin_key_id from orders.numbers
      where phone_number = any ($1::text[]) and status <> 'ported_out' order by phone_number`,
    values: [phoneNumbers],
  });
  return rows.map(
    ({ account_id, phone_number, port_out_pin: bytes, port_out_pin_key_id: keyId }) => ({
      account_id,
      phone_number,
      sealed: bytes === null || keyId === null ? null : { bytes, keyId },
    }),
  );
}
