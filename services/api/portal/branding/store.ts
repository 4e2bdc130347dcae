import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { LogoType } from "./logo-image.ts";

/** What an account's end users see of it; a logo is named by its SHA-256. */
export interface Branding {
  readonly name: string | null;
  readonly colour: string | null;
  readonly logo_hash: Buffer | null;
  readonly updated_at: Date | null;
}

const NONE: Branding = { name: null, colour: null, logo_hash: null, updated_at: null };

export async function findBranding(db: Queryable, accountId: string): Promise<Branding> {
  const [row] = await queryRows<Branding & Record<string, unknown>>(db, {
    name: "portal-branding-find",
    text: `select name, colour, logo_hash, updated_at from accounts.portal_branding
      where account_id = $1`,
    values: [accountId],
  });
  return row ?? NONE;
}

/** The same, locked until the transaction ends. */
export async function lockBranding(tx: Queryable, accountId: string, at: Date): Promise<Branding> {
  const [row] = await queryRows<Branding & Record<string, unknown>>(tx, {
    name: "portal-branding-lock",
    text: `insert into accounts.portal_branding as b (account_id, updated_at) values ($1, $2)
      on conflict (account_id) do update set updated_at = $2
      returning b.name, b.colour, b.logo_hash, b.updated_at`,
    values: [accountId, at],
  });
  return row ?? NONE;
}

export async function writeNameAndColour(
  tx: Queryable,
  accountId: string,
  { name, colour }: Pick<Branding, "name" | "colour">,
): Promise<void> {
  await queryRows(tx, {
    name: "portal-branding-write",
    text: "update accounts.portal_branding set name = $2, colour = $3 where account_id = $1",
    values: [accountId, name, colour],
  });
}

export interface Logo {
  readonly type: LogoType;
  readonly content: Buffer;
  /** SHA-256 of the content. */
  readonly hash: Buffer;
}

export async function writeLogo(
  tx: Queryable,
  accountId: string,
  logo: Logo | null,
): Promise<void> {
  const { content = null, type = null, hash = null } = logo ?? {};
  await queryRows(tx, {
    name: "portal-branding-logo",
    text: `update accounts.portal_branding set logo = $2, logo_type = $3, logo_hash = $4
      where account_id = $1`,
    values: [accountId, content, type, hash],
  });
}

/** The logo of whichever account has it; null where none has it any more. */
export async function findLogo(db: Queryable, hash: Buffer): Promise<Omit<Logo, "hash"> | null> {
  const [row] = await queryRows<{ logo: Buffer; logo_type: LogoType }>(db, {
    name: "portal-logo-find",
    text: "select logo, logo_type from accounts.portal_branding where logo_hash = $1 limit 1",
    values: [hash],
  });
  return row === undefined ? null : { type: row.logo_type, content: row.logo };
}
