/** A number on the platform, as it is stored and answered (spec/customer-api.md, Numbers). */
export interface PlatformNumber {
  readonly phone_number: string;
  readonly status: "active" | "porting_out" | "ported_out";
  readonly country_code: string;
  readonly number_type: string;
  readonly provider: string;
  readonly porting_order_id: string | null;
  readonly activated_at: Date;
  readonly forwarding: {
    readonly primary: string;
    readonly fallback: string | null;
    readonly handled_by: "platform" | "carrier";
  } | null;
  readonly port_out_lock: boolean;
  readonly port_out_pin_set: boolean;
}
