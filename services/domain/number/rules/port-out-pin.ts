import { createHash, timingSafeEqual } from "node:crypto";
import type { Sealed, SecretBox } from "../../../platform/secret-box.ts";

/** The number that a PIN belongs to. */
interface PinOwner {
  readonly account_id: string;
  readonly phone_number: string;
}

function aadOf({ account_id, phone_number }: PinOwner): string {
  return `port_out_pin/${account_id}/${phone_number}`;
}

/** A hash of so few digits could be reversed by trying them all, so a PIN is encrypted instead. */
export function sealPin(box: SecretBox, owner: PinOwner, pin: string): Sealed {
  return box.seal(pin, aadOf(owner));
}

/** A number's stored PIN; `sealed` is null if it has none. */
export interface StoredPin extends PinOwner {
  readonly sealed: Sealed | null;
}

/**
 * Whether the given PIN is the PIN of every number that has one; null if none was given. A wrong PIN takes as long to
 * check as the right one.
 */
export function pinMatches(
  box: SecretBox,
  numbers: readonly StoredPin[],
  attempted: string | null,
): boolean | null {
  if (attempted === null) return null;
  const given = digest(attempted);
  const verdicts = numbers.flatMap((number) =>
    number.sealed === null
      ? []
      : [timingSafeEqual(digest(box.open(number.sealed, aadOf(number))), given)],
  );
  return verdicts.length > 0 && !verdicts.includes(false);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
