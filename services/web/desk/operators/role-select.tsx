import { Field } from "../../ui/field.tsx";
import type { Operator } from "./operators-page.tsx";

type Role = Operator["role"];

const MEANINGS: Readonly<Record<Role, string>> = {
  viewer: "Viewer: reads; sensitive values are masked",
  reviewer: "Reviewer: also claims, decides, comments, enters carrier updates",
  lead: "Lead: also takes over, assigns, closes orders, decides port-outs, handles dead letters",
  admin: "Admin: also accounts, keys and operators",
};

interface RoleSelectProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

export function RoleSelect({ value, onChange }: RoleSelectProps) {
  return (
    <Field label="Role">
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value as Role)}
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
