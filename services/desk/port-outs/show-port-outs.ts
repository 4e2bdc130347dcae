import { presentPortOut } from "../../domain/port-out/answers/present-port-out.ts";
import type { DeskPortOut } from "../../domain/port-out/store/read-port-out.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { readAccountNames } from "../accounts/store/account-names.ts";

/** Port-outs as the desk sees them; the names of their accounts are one statement. */
export async function showPortOuts(db: Queryable, portOuts: readonly DeskPortOut[]) {
  const names = await readAccountNames(
    db,
    portOuts.map((one) => one.account_id).filter((id) => id !== null),
  );
  return portOuts.map((portOut) => {
    const { account_id, provider, port_out_ref } = portOut;
    const account =
      account_id === null ? null : { id: account_id, name: names.get(account_id) ?? "" };
    return { ...presentPortOut(portOut), account_id, account, provider, port_out_ref };
  });
}
