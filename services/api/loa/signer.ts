import type { Order } from "../../domain/order/rules/order.ts";
import type { Fault } from "../../platform/errors.ts";

const AUTHORIZED_PERSON_SLUG = "auth_person_name";

/** Compares base letters: case and accents do not count. */
const COLLATOR = new Intl.Collator("und", { sensitivity: "base" });

/** The dotless i is a letter of its own to the collator, but its capital is the plain one: Kılıç is KILIÇ. */
function folded(name: string): string {
  return name.replaceAll(/\s+/gu, "").replaceAll("ı", "i");
}

/** Whether two names are one person's; case, spaces and accents do not count. */
export function isSameName(one: string, other: string): boolean {
  return COLLATOR.compare(folded(one), folded(other)) === 0;
}

/** The person who must sign the order's letter; null if the order asks for none, or has no name yet. */
export function authorizedSignerOf({ requirements }: Order): string | null {
  const named = requirements.find(({ slug }) => slug === AUTHORIZED_PERSON_SLUG);
  return named?.shown_value ?? null;
}

/**
 * A letter signed by another than the authorized person would be rejected by the losing carrier. The name that was
 * compared is the one that the letter states, so a change meanwhile makes the preparation stale.
 */
export function signerFaults(order: Order, signerName: string): Fault[] {
  const authorized = authorizedSignerOf(order);
  if (authorized === null || isSameName(authorized, signerName)) return [];
  const detail = `The order names ${authorized} as the authorized person: sign with that name, or change auth_person_name first.`;
  return [{ pointer: "#/signer_name", code: "signer_mismatch", detail }];
}
