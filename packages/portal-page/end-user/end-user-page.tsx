import { isEditable } from "../../../services/domain/order/rules/status-facts.ts";
import { Card, Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import type { Order } from "../orders/order-words.ts";
import { useOrder } from "../orders/orders.ts";
import { RequirementList } from "../orders/requirements/requirement-list.tsx";
import { SubmitOrder } from "../orders/submit-order.tsx";
import shell from "../shell.module.css";
import { OfflineNote } from "../shell.tsx";
import styles from "./end-user.module.css";
import { inPlainWords } from "./plain-words.ts";

/** The page that a customer hands to its own end user: one order's requirements and letter, nothing else. */
export default function EndUserPage({ orderId }: { readonly orderId: string }) {
  return (
    <main className={`${shell["content"]} ${shell["narrow"]}`}>
      <OfflineNote />
      <DataView query={useOrder(orderId)}>{(order) => <Shown order={order} />}</DataView>
    </main>
  );
}

const SHOWN = 5;

function Shown({ order }: { readonly order: Order }) {
  const numbers = order.phone_numbers;
  return (
    <Page title={numbers.length === 1 ? "Move your number" : "Move your numbers"}>
      <Card>
        <p className={styles["numbers"]}>
          {numbers.slice(0, SHOWN).join(", ")}
          {numbers.length > SHOWN && ` and ${numbers.length - SHOWN} more`}
        </p>
        <p>{stateOf(order)}</p>
        {order.foc_actual !== null && (
          <p>
            It moves on <Time at={order.foc_actual} form="zoned" />.
          </p>
        )}
      </Card>
      <RequirementList order={order} inWords={inPlainWords} />
      {isEditable(order) && (
        <Card title="Send it">
          <p className="muted">
            When everything is here, send it. It is read by people before your present provider is
            asked, and you can come back by this link if something has to be corrected.
          </p>
          <SubmitOrder order={order} label="Send" done="It was sent. Thank you." />
        </Card>
      )}
    </Page>
  );
}

/** Where the move stands, for somebody who does it once in a life. */
function stateOf({ status }: Order): string {
  switch (status) {
    case "draft":
      return "To move your number, we need a few things from you. Each is saved by itself: you can stop and come back by this link.";
    case "rejection":
      return "Something has to be corrected. It is marked below, with the reason.";
    case "in_review":
    case "submitted":
    case "in_process":
      return "Thank you, you are done. What you gave is being read, or your present provider works on it.";
    case "foc_scheduled":
    case "activating":
      return "Your present provider has agreed, and the date is set.";
    case "completed":
    case "completed_partial":
      return "Your number has moved.";
    case "cancel_pending":
    case "cancelled":
      return "This move was cancelled. Ask whoever sent you the link.";
  }
}
