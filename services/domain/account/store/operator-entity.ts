import { EntitySchema } from "typeorm";
import type { OperatorRole } from "../rules/operator-role.ts";

export interface OperatorRow {
  id: string;
  name: string;
  role: OperatorRole;
  /** An operator who is not active has no access, whatever tokens there are. */
  active: boolean;
  created_at: Date;
}

export const operatorEntity = new EntitySchema<OperatorRow>({
  name: "Operator",
  schema: "accounts",
  tableName: "operators",
  columns: {
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "operators_pkey" },
    name: { type: "text" },
    role: { type: "text" },
    active: { type: "boolean", default: true },
    created_at: { type: "timestamptz" },
  },
  uniques: [{ name: "operators_name", columns: ["name"] }],
  checks: [
    { name: "operators_role", expression: "role in ('viewer', 'reviewer', 'lead', 'admin')" },
  ],
});
