/** Some canonical codes and the fields that they may name, likeliest first. */
export const SLUGS_OF_CODE: Readonly<Record<string, readonly string[]>> = {
  pin_invalid: ["pin_passcode"],
  auth_person_mismatch: ["auth_person_name", "loa"],
  entity_name_mismatch: ["entity_name"],
  loa_invalid: ["loa"],
  address_mismatch: ["service_address"],
  port_freeze: [],
  other: [],
};

/** A code names at most one requirement: the first of its slugs that the order has. An unknown code becomes `other`. */
export function asksForCode(
  code: string | null,
  slugs: readonly string[],
): { code: string; slug: string | null } {
  const known = code !== null && code in SLUGS_OF_CODE ? code : "other";
  const slug = SLUGS_OF_CODE[known]?.find((one) => slugs.includes(one)) ?? null;
  return { code: known, slug };
}

/** The desk rejects a field only with a code that may name it; `other` may name any. */
export function fitsSlug(code: string, slug: string): boolean {
  return code === "other" || (SLUGS_OF_CODE[code]?.includes(slug) ?? false);
}
