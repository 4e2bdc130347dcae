import type { MigrationInterface, QueryRunner } from "typeorm";

/** What an account's end users see of it on the pages of its links. */
export class PortalBranding1700000000211 implements MigrationInterface {
  name = "PortalBranding1700000000211";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(BRANDING);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table accounts.portal_branding");
  }
}

const BRANDING = `
create table accounts.portal_branding (
  account_id uuid primary key references accounts.accounts (id),
  name text,
  -- #rrggbb
  colour text,
  logo bytea,
  logo_type text,
  -- SHA-256 of the logo, by which browsers fetch it.
  logo_hash bytea,
  updated_at timestamptz not null,
  constraint portal_branding_logo check ((logo is null) = (logo_type is null) and (logo is null) = (logo_hash is null))
);
create index portal_branding_by_logo on accounts.portal_branding (logo_hash) where logo_hash is not null;
`;
