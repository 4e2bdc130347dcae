import { DeliveryPage } from "../../ui/webhooks/delivery-page.tsx";
import type { ScreenProps } from "../screens.tsx";
import { useMay } from "../session.ts";
import { AccountLink } from "./account-link.tsx";
import { DESK, type Delivery } from "./webhooks.ts";

/** A delivery of any account. */
export default function AnyDeliveryPage({ params: { id = "" } }: ScreenProps) {
  return (
    <DeliveryPage<Delivery>
      side={DESK}
      id={id}
      mayRetry={useMay("lead")}
      factsOf={({ account }) => [["Account", <AccountLink key="account" account={account} />]]}
    />
  );
}
