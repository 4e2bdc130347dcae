import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { CustomerNotice } from "../rules/notice-kinds.ts";

/** Who gets an account's notices; a kind that is not switched off is sent. */
export interface NoticeSettings {
  readonly emails: readonly string[];
  readonly kinds_off: readonly CustomerNotice[];
}

const READ = `select coalesce(s.emails, '{}') as emails, coalesce(s.kinds_off, '{}') as kinds_off
  from accounts.accounts a left join accounts.notice_settings s on s.account_id = a.id where a.id = $1`;

/** Null if there is no such account. */
export async function readNoticeSettings(
  db: Queryable,
  accountId: string,
): Promise<NoticeSettings | null> {
  const [row = null] = await queryRows<NoticeSettings>(db, {
    name: "notice-settings-read",
    text: READ,
    values: [accountId],
  });
  return row;
}

/** The same under the lock of the account, for a change in the same transaction. */
export async function lockNoticeSettings(
  tx: Queryable,
  accountId: string,
): Promise<NoticeSettings | null> {
  const [row = null] = await queryRows<NoticeSettings>(tx, {
    name: "notice-settings-lock",
    text: `${READ} for no key update of a`,
    values: [accountId],
  });
  return row;
}

export async function writeNoticeSettings(
  tx: Queryable,
  accountId: string,
  { emails, kinds_off: kindsOff }: NoticeSettings,
): Promise<void> {
  await queryRows(tx, {
    name: "notice-settings-write",
    text: `insert into accounts.notice_settings as s (account_id, emails, kinds_off) values ($1, $2, $3)
      on conflict (account_id) do update set emails = excluded.emails, kinds_off = excluded.kinds_off`,
    values: [accountId, emails, kindsOff],
  });
}
