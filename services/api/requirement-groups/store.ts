import { lockAccount } from "../../domain/account/store/api-keys.ts";
import type { IdRange } from "../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import type { SavedRequirements } from "./saved-requirements.ts";

/** What an account keeps of a holder. */
export interface RequirementGroup {
  readonly id: string;
  readonly name: string;
  readonly requirements: SavedRequirements;
  readonly created_at: Date;
  readonly updated_at: Date;
}

interface OfAccount {
  readonly accountId: string;
  readonly id: string;
}

const COLUMNS = "id, name, requirements, created_at, updated_at";

const LIST = {
  asc: `select ${COLUMNS} from orders.requirement_groups
    where account_id = $1 and id > $2 and id < $3 order by id asc limit $4`,
  desc: `select ${COLUMNS} from orders.requirement_groups
    where account_id = $1 and id > $2 and id < $3 order by id desc limit $4`,
};

/** An account's groups in a range of ids, in scan order. */
export async function listGroups(
  db: Queryable,
  { accountId, range }: { readonly accountId: string; readonly range: IdRange },
): Promise<RequirementGroup[]> {
  return queryRows(db, {
    name: `requirement-groups-list-${range.direction}`,
    text: LIST[range.direction],
    values: [accountId, range.above, range.below, range.fetch],
  });
}

const FIND = `select ${COLUMNS} from orders.requirement_groups where account_id = $1 and id = $2`;

/** Null where the account has none with the id, a UUID; locked until the transaction ends if requested. */
export async function findGroup(
  db: Queryable,
  { accountId, id }: OfAccount,
  lock: "lock" | "read" = "read",
): Promise<RequirementGroup | null> {
  const [group] = await queryRows<RequirementGroup & Record<string, unknown>>(db, {
    name: `requirement-group-${lock}`,
    text: lock === "lock" ? `${FIND} for update` : FIND,
    values: [accountId, id],
  });
  return group ?? null;
}

/** The values of the group that a request names, if it does; with the fault of one that the account does not have. */
export async function savedIn(
  db: Queryable,
  accountId: string,
  id: string | undefined,
): Promise<NamedGroup> {
  if (id === undefined) return { saved: {}, faults: [] };
  const group = await findGroup(db, { accountId, id });
  return group === null ? UNKNOWN_GROUP : { saved: group.requirements, faults: [] };
}

export interface NamedGroup {
  readonly saved: SavedRequirements;
  readonly faults: readonly Fault[];
}

const UNKNOWN_GROUP: NamedGroup = {
  saved: {},
  faults: [
    {
      pointer: "#/requirement_group_id",
      code: "unknown_requirement_group",
      detail: "The account has no such requirement group.",
    },
  ],
};

export const MOST_GROUPS = 1_000;

const INSERT = `insert into orders.requirement_groups (id, account_id, name, requirements, document_ids, created_at, updated_at)
  select $1, $2, $3, $4, $5, $6, $6
  where (select count(*) from orders.requirement_groups where account_id = $2) < ${MOST_GROUPS}
  returning id`;

interface Saving {
  readonly accountId: string;
  readonly group: RequirementGroup;
  /** The uploads that it names. */
  readonly documentIds: readonly string[];
}

/** @throws `quota_exceeded` where the account has as many as it may */
export async function insertGroup(
  tx: Queryable,
  { accountId, group, documentIds }: Saving,
): Promise<void> {
  const { id, name, requirements, created_at: at } = group;
  await lockAccount(tx, accountId);
  const rows = await queryRows(tx, {
    name: "requirement-group-insert",
    text: INSERT,
    values: [id, accountId, name, JSON.stringify(requirements), documentIds, at],
  });
  if (rows.length > 0) return;
  const detail = `An account has ${MOST_GROUPS} requirement groups at most. Delete one first.`;
  throw new AppError("quota_exceeded", detail);
}

export async function updateGroup(
  tx: Queryable,
  { accountId, group, documentIds }: Saving,
): Promise<void> {
  const { id, name, requirements, updated_at: at } = group;
  await queryRows(tx, {
    name: "requirement-group-update",
    text: `update orders.requirement_groups set name = $3, requirements = $4, document_ids = $5, updated_at = $6
      where account_id = $2 and id = $1`,
    values: [id, accountId, name, JSON.stringify(requirements), documentIds, at],
  });
}

export async function deleteGroup(tx: Queryable, { accountId, id }: OfAccount): Promise<void> {
  await queryRows(tx, {
    name: "requirement-group-delete",
    text: "delete from orders.requirement_groups where account_id = $1 and id = $2",
    values: [accountId, id],
  });
}
