import { LRUCache } from "lru-cache";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { AskedRequirement } from "../rules/asked-requirement.ts";

export type RequirementProfiles = ReadonlyMap<string, readonly AskedRequirement[]>;

/** A profile's id is the digest of its content, so that what was read once is valid for ever. */
const KNOWN = new LRUCache<string, readonly AskedRequirement[]>({ max: 1_000 });

/** What the profiles with these ids ask for, by id; those that were read before cost no statement. */
export async function readProfiles(
  db: Queryable,
  ids: ReadonlySet<string>,
): Promise<RequirementProfiles> {
  const profiles = new Map<string, readonly AskedRequirement[]>();
  const unknown: string[] = [];
  for (const id of ids) {
    const known = KNOWN.get(id);
    if (known === undefined) unknown.push(id);
    else profiles.set(id, known);
  }
  if (unknown.length === 0) return profiles;
  const rows = await queryRows<{ id: string; items: AskedRequirement[] }>(db, {
    name: "requirement-profiles",
    text: "select id, items from orders.requirement_profiles where id = any ($1::uuid[])",
    values: [unknown],
  });
  for (const { id, items } of rows) {
    KNOWN.set(id, items);
    profiles.set(id, items);
  }
  return profiles;
}
