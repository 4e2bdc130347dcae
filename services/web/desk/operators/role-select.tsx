import { Field } from "../../ui/field.tsx";
import type { OperatorRole } from "../../../domain/account/rules/operator-role.ts";

const MEANINGS: Readonly<Record<OperatorRole, string>> = {
  viewer: "Viewer: reads; sensitive values are masked",
  reviewer: "Reviewer: also claims, decides, comments, enters carrier updates",
  lead: "Lead: also takes over, assigns, closes orders, decides port-outs, handles dead letters",
  admin: "Admin: also accounts, keys and operators",
};

interface RoleSelectProps {
  readonly value: OperatorRole;
  readonly onChange: (role: OperatorRole) => void;
}

export function RoleSelect({ value, onChange }: RoleSelectProps) {
  return (
    <Field label="Role">
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value as OperatorRole)}
        >
          {Object.entries(MEANINGS).map(([role, meaning]) => (
            <option key={role} value={role}>
              {meaning}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
