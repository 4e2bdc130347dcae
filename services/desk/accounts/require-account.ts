import type { DataSource, EntityManager } from "typeorm";
import type { AccountRow } from "../../domain/account/store/account-entity.ts";
import { findAccount } from "../../domain/account/store/accounts.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { AppError } from "../../platform/errors.ts";
import type { SecretBox } from "../../platform/secret-box.ts";

export interface AccountDeps {
  readonly dataSource: DataSource;
  /** Seals the accounts' signing secrets. */
  readonly box: SecretBox;
  readonly bus: Pick<Bus, "pool" | "clock">;
}

/** @throws `not_found` */
export async function requireAccount(manager: EntityManager, id: string): Promise<AccountRow> {
  const account = await findAccount(manager, id);
  if (account === null) throw noSuchAccount();
  return account;
}

export function noSuchAccount(): AppError {
  return new AppError("not_found", "There is no such account.");
}
