import { Link } from "wouter";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { faultAt } from "../../../ui/http/request.ts";
import { useHolders } from "../../holders/holders.ts";
import { e164Of } from "../../order-form/given-values.ts";

interface HolderProps {
  readonly value: string;
  readonly onChange: (name: "requirement_group_id", id: string) => void;
  readonly error: unknown;
}

/** Whose values the orders are given; nothing where no holder was ever saved. */
export function HolderField({ value, onChange, error }: HolderProps) {
  const holders = useHolders().data?.data ?? [];
  if (holders.length === 0) return null;
  return (
    <>
      <SelectField
        label="Saved holder"
        hint="Optional: the orders are given its names, address and other values."
        error={faultAt(error, "#/requirement_group_id")}
        options={[["", "None"], ...holders.map(({ id, name }) => [id, name] as const)]}
        value={value}
        onChange={(id) => onChange("requirement_group_id", id)}
      />
      <Link href="/holders">See the saved holders</Link>
    </>
  );
}

/** How the numbers are set as they become active, as it is typed; empty for what the account has set. */
export const NO_SETTINGS = { port_out_lock: "", forwarding: "" };

type Settings = typeof NO_SETTINGS;

export const FORWARDED_TO = "#/number_configuration/default/forwarding/primary";

const LOCKS = [
  ["", "As your account has it"],
  ["yes", "Locked: every port-out is rejected"],
  ["no", "Not locked"],
] as const;

/** The request's `number_configuration`; nothing where nothing is set. */
export function configurationOf({ port_out_lock: lock, forwarding }: Settings, country: string) {
  const to = forwarding.trim();
  const usual = {
    ...(lock !== "" && { port_out_lock: lock === "yes" }),
    ...(to !== "" && { forwarding: { primary: e164Of(to, country) } }),
  };
  return Object.keys(usual).length === 0 ? {} : { number_configuration: { default: usual } };
}

interface SettingsProps {
  readonly values: Settings;
  readonly onChange: (name: keyof Settings, value: string) => void;
  readonly error: unknown;
}

/** From the moment in which each number becomes active. */
export function SettingsFields({ values, onChange, error }: SettingsProps) {
  return (
    <>
      <SelectField
        label="Against port-out, once they are live"
        options={LOCKS}
        value={values.port_out_lock}
        onChange={(lock) => onChange("port_out_lock", lock)}
      />
      <TextField
        label="Forward their calls to"
        hint="Optional: from the first call on."
        type="tel"
        error={faultAt(error, FORWARDED_TO)}
        value={values.forwarding}
        onChange={(number) => onChange("forwarding", number)}
      />
    </>
  );
}
