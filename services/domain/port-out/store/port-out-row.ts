import type { PortOut, PortOutDecision, PortOutNumber } from "../rules/port-out.ts";

/** Columns of `orders.port_outs p` with its numbers, in the order in which they were requested. */
export const PORT_OUT_COLUMNS = `p.id, p.account_id, p.provider, p.port_out_ref, p.status, p.gaining_carrier,
  p.requested_foc, p.foc_actual, p.decision_deadline, p.decision, p.provider_status, p.event_sequence,
  p.created_at, p.updated_at,
  (select jsonb_agg(jsonb_build_object('phone_number', n.phone_number, 'porting_order_id', n.porting_order_id,
    'ported_out_at', n.ported_out_at) order by n.position) from orders.port_out_numbers n where n.port_out_id = p.id) as numbers`;

type InJson<T> = { readonly [K in keyof T]: T[K] extends Date | null ? string | null : T[K] };

export interface PortOutRow extends Omit<PortOut, "numbers" | "decision"> {
  readonly numbers: readonly InJson<PortOutNumber>[];
  readonly decision: (Omit<PortOutDecision, "at"> & { readonly at: string }) | null;
}

type Read<R> = Omit<R, "numbers" | "decision"> & Pick<PortOut, "numbers" | "decision">;

export function toPortOut<R extends Pick<PortOutRow, "numbers" | "decision">>({
  numbers,
  decision,
  ...row
}: R): Read<R> {
  return {
    ...row,
    decision: decision === null ? null : { ...decision, at: new Date(decision.at) },
    numbers: numbers.map(({ ported_out_at, ...number }) => ({
      ...number,
      ported_out_at: ported_out_at === null ? null : new Date(ported_out_at),
    })),
  };
}
