import { EntitySchema } from "typeorm";

export const ACCOUNT_STATUSES = ["active", "suspended"] as const;

export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export interface AccountRow {
  id: string;
  name: string;
  status: AccountStatus;
  created_at: Date;
}

export const accountEntity = new EntitySchema<AccountRow>({
  name: "Account",
  schema: "accounts",
  tableName: "accounts",
  columns: {
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "accounts_pkey" },
    name: { type: "text" },
    status: { type: "text", default: "active" },
    created_at: { type: "timestamptz" },
  },
  checks: [{ name: "accounts_status", expression: "status in ('active', 'suspended')" }],
  indices: [{ name: "accounts_created", columns: ["created_at", "id"] }],
});
