import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { PLATFORM_PROVIDER } from "../../../messages/platform-provider.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { Page } from "../../ui/page.tsx";
import { withDraft } from "../../ui/use-draft.ts";
import { keyText, useKeyActions } from "../keys/key-table.ts";
import type { ScreenProps } from "../screens.tsx";
import { useMay } from "../session/session.ts";
import { draftKey } from "./carrier-update/update-draft.ts";
import { CarrierUpdateDrawer } from "./carrier-update/carrier-update-drawer.tsx";
import { CarrierCard } from "./order/carrier-card.tsx";
import { ConversationCard } from "./order/conversation-card.tsx";
import { DeliveriesCard } from "./order/deliveries-card.tsx";
import { FactsCard } from "./order/facts-card.tsx";
import { NextStepCard } from "./order/next-step-card.tsx";
import { NumbersCard } from "./order/numbers-card.tsx";
import { RequirementsCard } from "./order/requirements-card.tsx";
import { TimelineCard } from "./order/timeline-card.tsx";
import styles from "./order-page.module.css";
import { numbersTitle, STATUS_WORDS } from "./order-words.ts";
import { useOrder, useTimeline, type Order } from "./queries.ts";
import { CloseDialog } from "./write/close-dialog.tsx";
import { canClose } from "./write/close-words.ts";
import { WriteDialog } from "./write/write-dialog.tsx";

type Dialog = "comment" | "note" | "update" | "close";

/** One order: who must do what by when, what happened, what the carrier said, what the customer was told. */
export default function OrderPage({ params: { id = "" } }: ScreenProps) {
  const order = useOrder(id);
  return <DataView query={order}>{(data) => <OrderView key={data.id} order={data} />}</DataView>;
}

function OrderView({ order }: { readonly order: Order }) {
  const timeline = useTimeline(order.id);
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const may = useMayOf(order);
  // A list of orders to call links here to write down what the carrier said.
  const isAnswered = search.has("update") && may.update;
  const [dialog, setDialog] = useState<Dialog | null>(isAnswered ? "update" : null);
  const keyFor = (name: Dialog) => (may[name] ? () => setDialog(name) : undefined);
  useKeyActions({
    comment: keyFor("comment"),
    note: keyFor("note"),
    carrierUpdate: keyFor("update"),
    trace: () => navigate(`/orders/${order.id}/messages`),
    back: () => navigate("/orders"),
  });
  const close = (): void => setDialog(null);
  return (
    <Page
      title={numbersTitle(order.phone_numbers[0] ?? "", order.phone_numbers.length)}
      actions={<Actions order={order} may={may} onOpen={setDialog} />}
    >
      <NextStepCard order={order} />
      <div className={styles["columns"]}>
        <div className={styles["column"]}>
          <NumbersCard numbers={order.numbers} />
          <RequirementsCard order={order} />
          <TimelineCard order={order} query={timeline} />
        </div>
        <div className={styles["column"]}>
          <FactsCard order={order} />
          <ConversationCard
            orderId={order.id}
            timeline={timeline}
            onComment={() => setDialog("comment")}
            onNote={() => setDialog("note")}
          />
          <CarrierCard order={order} timeline={timeline.data ?? []} />
          <DeliveriesCard orderId={order.id} />
        </div>
      </div>
      {dialog === "update" && <CarrierUpdateDrawer order={order} onClose={close} />}
      {dialog === "close" && <CloseDialog order={order} onClose={close} />}
      {(dialog === "comment" || dialog === "note") && (
        <WriteDialog order={order} kind={dialog} onClose={close} />
      )}
    </Page>
  );
}

/** What this person may do with this order. */
function useMayOf(order: Order): Readonly<Record<Dialog, boolean>> {
  const isReviewer = useMay("reviewer");
  const isLead = useMay("lead");
  return {
    comment: isReviewer,
    note: isReviewer,
    update: isReviewer && order.request_version > 0 && order.provider !== PLATFORM_PROVIDER,
    close: isLead && canClose(order),
  };
}

interface ActionsProps {
  readonly order: Order;
  readonly may: Readonly<Record<Dialog, boolean>>;
  readonly onOpen: (dialog: Dialog) => void;
}

function Actions({ order, may, onOpen }: ActionsProps) {
  const { name, tone } = STATUS_WORDS[order.status];
  return (
    <>
      <span className={styles["status"]}>
        <Badge tone={tone}>{name}</Badge>
      </span>
      <Link href={`/orders/${order.id}/messages`} className={styles["link"] ?? ""}>
        Trace
      </Link>
      {may.close && <Button onClick={() => onOpen("close")}>Close order</Button>}
      {may.update && (
        <Button
          kind={order.closed_at === null ? "primary" : "plain"}
          hotkey={keyText("carrierUpdate")}
          onClick={() => onOpen("update")}
        >
          {withDraft("Carrier update", draftKey(order.id))}
        </Button>
      )}
    </>
  );
}
