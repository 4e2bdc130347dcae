import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";

/** A port-out that the sandbox requested as gaining carrier. */
export interface SandboxPortOut {
  readonly port_out_ref: string;
  readonly phone_numbers: readonly string[];
  readonly gaining_carrier: string;
  readonly requested_foc: string;
}

export async function storeSandboxPortOut(
  tx: Queryable,
  portOut: SandboxPortOut,
  now: Date,
): Promise<void> {
  await queryRows(tx, {
    name: "sandbox-port-out-store",
    text: `insert into carriers.sandbox_port_outs
        (port_out_ref, phone_numbers, gaining_carrier, requested_foc, created_at)
      values ($1, $2, $3, $4, $5)`,
    values: [
      portOut.port_out_ref,
      portOut.phone_numbers,
      portOut.gaining_carrier,
      portOut.requested_foc,
      now,
    ],
  });
}

/** Locks the port-out, so that its updates keep their order. @throws `not_found` */
export async function lockSandboxPortOut(
  tx: Queryable,
  portOutRef: string,
): Promise<SandboxPortOut> {
  const [row] = await queryRows<SandboxPortOut>(tx, {
    name: "sandbox-port-out-lock",
    text: `select port_out_ref, phone_numbers, gaining_carrier, requested_foc
      from carriers.sandbox_port_outs where port_out_ref = $1 for update`,
    values: [portOutRef],
  });
  if (row === undefined) {
    throw new AppError(
      "not_found",
      "The sandbox has not requested a port-out under that reference.",
    );
  }
  return row;
}
