import { EntitySchema } from "typeorm";

export interface OperatorTokenRow {
  id: string;
  operator_id: string;
  prefix: string;
  token_hash: Buffer;
  created_at: Date;
  revoked_at: Date | null;
}

export const operatorTokenEntity = new EntitySchema<OperatorTokenRow>({
  name: "OperatorToken",
  schema: "accounts",
  tableName: "operator_tokens",
  columns: {
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "operator_tokens_pkey" },
    operator_id: { type: "uuid" },
    prefix: { type: "text" },
    // Never selected, only searched by.
    token_hash: { type: "bytea", select: false },
    created_at: { type: "timestamptz" },
    revoked_at: { type: "timestamptz", nullable: true },
  },
  foreignKeys: [
    {
      name: "operator_tokens_operator",
      target: "Operator",
      columnNames: ["operator_id"],
      referencedColumnNames: ["id"],
    },
  ],
  uniques: [{ name: "operator_tokens_hash", columns: ["token_hash"] }],
});
