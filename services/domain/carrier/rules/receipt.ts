/** Who published the message, and what it is about. */
export interface ReceiptSubject {
  /** Empty where it could not be read. */
  readonly provider: string;
  readonly update_id?: string;
  readonly order_id?: string;
  readonly port_out_ref?: string;
  readonly call_id?: string;
}

export type ReceiptOutcome =
  | { readonly outcome: "applied" }
  | {
      /** Taken, but it moved nothing; or dead-lettered. */
      readonly outcome: "ignored" | "refused";
      readonly code: string;
      readonly detail: string;
    };

export const APPLIED: ReceiptOutcome = { outcome: "applied" };

export function ignored(code: string, detail: string): ReceiptOutcome {
  return { outcome: "ignored", code, detail };
}

export function refused(code: string, detail: string): ReceiptOutcome {
  return { outcome: "refused", code, detail };
}
