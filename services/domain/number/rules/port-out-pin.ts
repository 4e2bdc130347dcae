import { createHash, timingSafeEqual } from "node:crypto";
import type { Sealed, SecretBox } from "../../../platform/secret-box.ts";

/** Which record a PIN belongs to. */
export interface PinOwner {
  readonly account_id: string;
  readonly phone_number: string;
}

function aadOf({ account_id, phone_number }: PinOwner): string {
  return `port_out_pin/${account_id}/${phone_number}`;
}

/** Few digits are found by trying: a PIN is sealed, not hashed. */
export function sealPin(box: SecretBox, owner: PinOwner, pin: string): Sealed {
  return box.seal(pin, aadOf(owner));
}

/** A number's PIN as it is stored; null where it has none. */
export interface StoredPin extends PinOwner {
  readonly sealed: Sealed | null;
}

/**
 * Whether a PIN that was given is that of every one of the numbers that has one; null where none was given. Takes as
 * long for a wrong PIN as for the right one.
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
