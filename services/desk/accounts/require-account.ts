import { findAccount, type AccountRow } from "../../domain/account/store/accounts.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { SecretBox } from "../../platform/secret-box.ts";

export interface AccountDeps {
  /** Seals the accounts' signing secrets. */
  readonly box: SecretBox;
  readonly bus: Pick<RouteBus, "clock">;
}

/** @throws `not_found` */
export async function requireAccount(db: Queryable, id: string): Promise<AccountRow> {
  const account = await findAccount(db, id);
  if (account === null) throw noSuchAccount();
  return account;
}

export function noSuchAccount(): AppError {
  return new AppError("not_found", "There is no such account.");
}
