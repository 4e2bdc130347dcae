import { Facts } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./port-outs.module.css";
import type { PortOut } from "./queries.ts";

/** Whose numbers are asked for, by whom and for when: what a decision is about. */
export function RequestFacts({ portOut }: { readonly portOut: PortOut }) {
  const { account, phone_numbers: numbers, decision_deadline: deadline } = portOut;
  return (
    <Facts
      facts={[
        ["Account", account?.name ?? "–"],
        [
          numbers.length === 1 ? "Number" : `${numbers.length} numbers`,
          <span className={styles["all"]}>{numbers.join(", ")}</span>,
        ],
        ["Gaining carrier", portOut.gaining_carrier],
        ["Wanted for", <Time at={portOut.requested_foc} form="zoned" />],
        [
          "Decide by",
          <>
            <Time at={deadline} form="zoned" />
            {deadline !== null && (
              <>
                {" ("}
                <Time at={deadline} form="relative" />)
              </>
            )}
          </>,
        ],
        ["Request", `${portOut.port_out_ref} by ${portOut.provider}`],
        ["Carrier’s status", portOut.provider_status ?? "–"],
      ]}
    />
  );
}
