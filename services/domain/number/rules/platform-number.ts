export const NUMBER_STATUSES = ["active", "porting_out", "ported_out"] as const;

/** A number on the platform, as it is stored and returned (docs/contract/customer-api.md, Numbers and port-outs). */
export interface PlatformNumber {
  readonly phone_number: string;
  readonly status: (typeof NUMBER_STATUSES)[number];
  readonly country_code: string;
  readonly number_type: string;
  readonly provider: string;
  readonly porting_order_id: string | null;
  readonly activated_at: Date;
  readonly forwarding: Forwarding | null;
  readonly port_out_lock: boolean;
  readonly port_out_pin_set: boolean;
}

/** Where a number's calls are forwarded, and who forwards them. */
export interface Forwarding {
  readonly primary: string;
  readonly fallback: string | null;
  readonly handled_by: "platform" | "carrier";
}
