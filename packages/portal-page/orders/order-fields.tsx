import { TextField } from "../../ui/field.tsx";
import { faultAt } from "../../ui/http/request.ts";
import { browserZone, instantOf, zonedTimeOf } from "../../ui/zoned-time.ts";

/** As they are typed; empty for none. */
export interface OrderFieldValues {
  readonly customer_reference: string;
  /** As `<input type="datetime-local">` has it, in the browser's zone. */
  readonly foc_requested: string;
  readonly webhook_url: string;
}

export const ORDER_FIELDS = ["#/customer_reference", "#/foc_requested", "#/webhook_url"] as const;

/** A time as the field has it. */
export function typedTimeOf(at: string | null): string {
  if (at === null) return "";
  const { date, time } = zonedTimeOf(Date.parse(at), browserZone());
  return `${date}T${time}`;
}

/** What was typed, with the browser's offset; null for none. */
export function requestedTime(typed: string): string | null {
  const [date = "", time = ""] = typed.split("T");
  return instantOf({ date, time, zone: browserZone() });
}

interface OrderFieldsProps {
  readonly values: OrderFieldValues;
  readonly onChange: (name: keyof OrderFieldValues, value: string) => void;
  readonly error: unknown;
  /** Whether the carrier can still be asked for another date. */
  readonly isWithDate?: boolean;
}

/** What a new order is given, and what can be changed of it later. */
export function OrderFields({ values, onChange, error, isWithDate = true }: OrderFieldsProps) {
  const field = (name: keyof OrderFieldValues) => ({
    value: values[name],
    onChange: (value: string) => onChange(name, value),
    error: faultAt(error, `#/${name}`),
  });
  return (
    <>
      <TextField
        label="Your reference"
        hint="Optional: your own name for it, by which you find it again."
        maxLength={128}
        {...field("customer_reference")}
      />
      {isWithDate && (
        <TextField
          label="Requested date and time"
          hint={`Optional, in your time zone (${browserZone()}). The losing carrier decides whether it can keep it.`}
          type="datetime-local"
          {...field("foc_requested")}
        />
      )}
      <TextField
        label="Webhook address"
        hint="Optional: an HTTPS address that gets this order’s events instead of your endpoints."
        type="url"
        inputMode="url"
        {...field("webhook_url")}
      />
    </>
  );
}
