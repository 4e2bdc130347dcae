import type { RejectionReason } from "../types.ts";

/** The reasons for which this requirement may be rejected, the likeliest first. */
export function reasonsFor(
  reasons: readonly RejectionReason[],
  slug: string,
): readonly RejectionReason[] {
  return reasons
    .filter(({ slugs }) => slugs.includes(slug))
    .toSorted((one, other) => one.slugs.indexOf(slug) - other.slugs.indexOf(slug));
}
