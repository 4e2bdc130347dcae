import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { useQueryClient } from "@tanstack/react-query";
import { PLATFORM_PROVIDER } from "../../../services/messages/platform-provider.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { FormModal } from "../../ui/modal.tsx";
import { Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { draftUnder, useDraft, withDraft } from "../../ui/use-draft.ts";
import { keyText, useKeyActions } from "../keys.ts";
import type { ScreenProps } from "../screens.tsx";
import { useMay } from "../session.ts";
import { CarrierUpdateDrawer } from "./carrier-update/carrier-update-drawer.tsx";
import { draftKey } from "./carrier-update/update-draft.ts";
import { HandOverDialog, isDesksOwn, ResubmitDialog, SplitDialog } from "./exception-dialogs.tsx";
import { FactsCard, NextStepCard, NumbersCard, RequirementsCard } from "./order-facts.tsx";
import { CarrierCard, ConversationCard, DeliveriesCard, TimelineCard } from "./order-history.tsx";
import styles from "./order-page.module.css";
import {
  canClose,
  closeConsequence,
  numbersTitle,
  STATUS_WORDS,
  useOrder,
  useTimeline,
  writingKey,
  type Order,
  type Writing,
} from "./orders.ts";

type Dialog = "comment" | "note" | "update" | "resubmit" | "handOver" | "split" | "close";

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
      {dialog === "resubmit" && <ResubmitDialog order={order} onClose={close} />}
      {dialog === "handOver" && <HandOverDialog order={order} onClose={close} />}
      {dialog === "split" && <SplitDialog order={order} onClose={close} />}
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
    resubmit: isReviewer && isDesksOwn(order),
    handOver: isReviewer && isDesksOwn(order),
    split: isReviewer && isDesksOwn(order) && order.phone_numbers.length > 1,
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
      {may.handOver && <Button onClick={() => onOpen("handOver")}>Hand over</Button>}
      {may.split && <Button onClick={() => onOpen("split")}>Split</Button>}
      {may.resubmit && <Button onClick={() => onOpen("resubmit")}>Submit again</Button>}
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

/** Closing an order: what happens is said before, and the customer's reason is apart from the desk's own. */
export function CloseDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const toasts = useToasts();
  const { text: reason, ...reasonDraft } = useDraft(`close:${order.id}`);
  const { text: internal, ...internalDraft } = useDraft(`close-internal:${order.id}`);
  const send = useCommand<Order>({ refreshes: ["orders"] });
  const submit = (): void => {
    const own = internal.trim() === "" ? {} : { internal_reason: internal.trim() };
    send.run(
      { path: `/desk/v1/orders/${order.id}/close`, body: { reason: reason.trim(), ...own } },
      {
        onDone: (closed) => {
          reasonDraft.write("");
          internalDraft.write("");
          toasts.done(`The order is now: ${STATUS_WORDS[closed.status].name}`);
        },
        whileShown: onClose,
      },
    );
  };
  return (
    <FormModal
      title="Close the order"
      verb="Close order"
      leave="Do not close"
      kind="danger"
      isBusy={send.isPending}
      isReady={reason.trim() !== ""}
      fault={otherFaults(send.error, ["#/reason", "#/internal_reason"])}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles["consequence"]}>{closeConsequence(order)}</p>
      <TextArea
        label="Reason for the customer"
        hint="The customer reads this."
        error={faultAt(send.error, "#/reason")}
        rows={3}
        required
        maxLength={1_000}
        value={reason}
        onChange={reasonDraft.write}
      />
      <div className={styles["note"]}>
        <TextArea
          label="Internal reason (optional)"
          hint="Only the desk reads this."
          error={faultAt(send.error, "#/internal_reason")}
          rows={2}
          maxLength={1_000}
          value={internal}
          onChange={internalDraft.write}
        />
      </div>
    </FormModal>
  );
}

interface WriteDialogProps {
  readonly order: Order;
  readonly kind: Writing;
  readonly onClose: () => void;
}

const LONGEST = 4_000;

/** A comment to the customer or a note for the desk: which of the two it is can be told at a glance. */
export function WriteDialog({ order, kind, onClose }: WriteDialogProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const key = writingKey(kind, order.id);
  const draft = useDraft(key);
  const send = useCommand({ draft: key });
  const words = WORDS[kind](order.account.name);
  const submit = (): void => {
    const body = draft.text.trim();
    send.run(
      { path: `/desk/v1/orders/${order.id}/${kind}s`, body: { body } },
      {
        onDone: () => {
          draft.takeOut(body);
          toasts.done(words.done);
          void client.invalidateQueries({ queryKey: ["orders", order.id] });
        },
        // What was written meanwhile is still to be sent.
        whileShown: () => draftUnder(key) === "" && onClose(),
      },
    );
  };
  return (
    <FormModal
      title={words.title}
      description={words.who}
      verb={words.send}
      leave={draft.text === "" ? "Cancel" : "Keep as a draft"}
      hotkey={keyText("send")}
      isBusy={send.isPending}
      isReady={draft.text.trim() !== ""}
      className={styles[kind]}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label={words.label}
        error={faultAt(send.error, "#/body") ?? otherFaults(send.error, ["#/body"])}
        rows={6}
        required
        autoFocus
        maxLength={LONGEST}
        value={draft.text}
        onChange={draft.write}
      />
    </FormModal>
  );
}

const WORDS = {
  comment: (account: string) => ({
    title: "Comment to the customer",
    who: `${account} reads this in the order and receives it as a webhook. Your name is not shown.`,
    label: "Comment",
    send: "Send to the customer",
    done: "The comment was sent to the customer",
  }),
  note: () => ({
    title: "Internal note",
    who: "Only the desk reads this. No customer ever sees it.",
    label: "Note",
    send: "Save note",
    done: "The note was saved",
  }),
} as const;
