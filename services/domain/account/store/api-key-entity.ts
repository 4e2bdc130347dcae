import { EntitySchema } from "typeorm";

export interface ApiKeyRow {
  id: string;
  account_id: string;
  name: string | null;
  prefix: string;
  key_hash: Buffer;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

export const apiKeyEntity = new EntitySchema<ApiKeyRow>({
  name: "ApiKey",
  schema: "accounts",
  tableName: "api_keys",
  columns: {
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "api_keys_pkey" },
    account_id: { type: "uuid" },
    name: { type: "text", nullable: true },
    prefix: { type: "text" },
    // Never selected, only searched by.
    key_hash: { type: "bytea", select: false },
    created_at: { type: "timestamptz" },
    last_used_at: { type: "timestamptz", nullable: true },
    revoked_at: { type: "timestamptz", nullable: true },
  },
  foreignKeys: [
    {
      name: "api_keys_account",
      target: "Account",
      columnNames: ["account_id"],
      referencedColumnNames: ["id"],
    },
  ],
  uniques: [{ name: "api_keys_hash", columns: ["key_hash"] }],
  indices: [{ name: "api_keys_of_account", columns: ["account_id", "id"] }],
});
