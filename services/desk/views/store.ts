import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";

/** A list of the desk with its filters and its order, under a name. */
export interface SavedView {
  readonly id: string;
  /** Null where it is everybody's. */
  readonly operator_id: string | null;
  readonly screen: string;
  readonly name: string;
  readonly search: string;
  readonly created_at: Date;
}

/** Of an operator, and of all together. */
const MOST_VIEWS = 50;

const COLUMNS = "id, operator_id, screen, name, search, created_at";

/** The operator's own views and those of all, by name. */
export async function listViews(db: Queryable, operatorId: string): Promise<SavedView[]> {
  return queryRows<SavedView>(db, {
    name: "saved-views",
    text: `select ${COLUMNS} from accounts.saved_views
      where operator_id = $1 or operator_id is null order by lower(name), id`,
    values: [operatorId],
  });
}

/** A view that the operator sees. @throws `not_found` */
export async function findView(db: Queryable, operatorId: string, id: string): Promise<SavedView> {
  const [found] = await queryRows<SavedView>(db, {
    name: "saved-view",
    text: `select ${COLUMNS} from accounts.saved_views
      where id = $2 and (operator_id = $1 or operator_id is null)`,
    values: [operatorId, id],
  });
  if (found === undefined) throw new AppError("not_found", "There is no such view.");
  return found;
}

/** Saves a view, in the place of the one that has its name. @throws `quota_exceeded` */
export async function saveView(tx: Queryable, view: SavedView): Promise<SavedView> {
  const { id, operator_id, screen, name, search, created_at } = view;
  // Those that are saved at the same time are counted one after the other; it is a rare thing.
  await queryRows(tx, { text: "lock table accounts.saved_views in share row exclusive mode" });
  const [others] = await queryRows<{ count: number }>(tx, {
    name: "saved-views-count",
    text: `select count(*) as count from accounts.saved_views
      where operator_id is not distinct from $1 and (screen, name) <> ($2, $3)`,
    values: [operator_id, screen, name],
  });
  if ((others?.count ?? 0) >= MOST_VIEWS) throw tooMany(operator_id === null);
  const [saved] = await queryRows<SavedView>(tx, {
    name: "saved-view-save",
    text: `insert into accounts.saved_views (${COLUMNS}) values ($1, $2, $3, $4, $5, $6)
      on conflict (operator_id, screen, name) do update set search = excluded.search
      returning ${COLUMNS}`,
    values: [id, operator_id, screen, name, search, created_at],
  });
  if (saved === undefined) throw new TypeError("an insert returns its row");
  return saved;
}

function tooMany(isShared: boolean): AppError {
  const whose = isShared ? "All operators together have" : "An operator has";
  return new AppError("quota_exceeded", `${whose} ${MOST_VIEWS} views at most. Remove one first.`);
}

export async function deleteView(tx: Queryable, id: string): Promise<void> {
  const text = "delete from accounts.saved_views where id = $1";
  await queryRows(tx, { name: "saved-view-delete", text, values: [id] });
}
