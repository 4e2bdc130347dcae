import { EntitySchema } from "typeorm";

export interface OperatorRow {
  id: string;
  name: string;
  created_at: Date;
}

export const operatorEntity = new EntitySchema<OperatorRow>({
  name: "Operator",
  schema: "accounts",
  tableName: "operators",
  columns: {
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "operators_pkey" },
    name: { type: "text" },
    created_at: { type: "timestamptz" },
  },
  uniques: [{ name: "operators_name", columns: ["name"] }],
});
