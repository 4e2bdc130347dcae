import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/modal.tsx";
import { Card, Facts, WindowTitle } from "../../../ui/page.tsx";
import { DataView } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { keyText, useKeyActions } from "../../keys.ts";
import type { ScreenProps } from "../../screens.tsx";
import { useMay } from "../../session.ts";
import { filtersOf } from "../queue/filters.ts";
import { useNextCase } from "../queue/next-case.ts";
import {
  aheadQuery,
  caseQuery,
  orderTitle,
  type CaseRequirement,
  type ReviewCase,
} from "../reviews.ts";
import { DOCUMENTS_ID, DocumentsPanel } from "../viewer/documents-panel.tsx";
import { PAGE_FIELD_ID } from "../viewer/toolbar.tsx";
import { useViewer, type Viewer } from "../viewer/viewer.ts";
import { CaseHeader } from "./case-header.tsx";
import styles from "./case.module.css";
import { Conversation, History, type ConversationHandle } from "./conversation.tsx";
import { EvidenceCard } from "./evidence.tsx";
import { FieldRow } from "./field-row.tsx";
import { withNumberFields } from "./number-fields.ts";
import { RejectDrawer } from "./reject-drawer.tsx";
import { useSending } from "./sending.ts";
import { useClaim } from "./use-claim.ts";
import { useSend, useSkip, useWork, type Work } from "./use-work.ts";
import { isUnderReview, lastRejection, liveVerdictOn, mayBeRejected } from "./verdicts.ts";

/** A case: what the customer sent, and the verdicts on it. */
export default function CasePage({ params }: ScreenProps) {
  const id = params["id"] ?? "";
  const client = useQueryClient();
  const query = useQuery({
    ...caseQuery(id),
    placeholderData: () => client.getQueryData(aheadQuery(id).queryKey),
    select: withNumberFields,
  });
  return (
    <DataView query={query}>
      {(review) => <Case key={`${review.order_id} ${review.attempt}`} review={review} />}
    </DataView>
  );
}

function Case({ review }: { readonly review: ReviewCase }) {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const queuePath = `/reviews?${search.toString()}`;
  const held = useSending().of(review.order_id);
  const claimed = useClaim(review);
  // Nothing is changed of what is on its way.
  const claim = { ...claimed, mayDecide: claimed.mayDecide && held === null };
  const work = useWork(review, claim);
  const viewer = useViewer(review);
  const next = useNextCase(filtersOf(search), search);
  const skip = useSkip(review, { isMine: claim.isMine, search });
  const [rejected, setRejected] = useState<CaseRequirement | null>(null);
  const conversation = useRef<ConversationHandle>(null);
  const mayReview = useMay("reviewer");
  const send = useSend(review, work.draft, next);
  const { select, selectDocument, undo } = useSelection(work, viewer);
  const release = (): void => claim.release(() => navigate(queuePath));
  const act = (does: () => void) => (claim.mayDecide ? does : undefined);
  const { current } = work;
  useKeyActions({
    back: () => (viewer.find === null ? navigate(queuePath) : viewer.findValue("")),
    down: () => select(work.step(1)),
    up: () => select(work.step(-1)),
    nextDocument: () => selectDocument(viewer.step(1)),
    previousDocument: () => selectDocument(viewer.step(-1)),
    nextPage: () => viewer.goToPage(viewer.paging.page + 1),
    previousPage: () => viewer.goToPage(viewer.paging.page - 1),
    goToPage: () => document.getElementById(PAGE_FIELD_ID)?.focus(),
    findValue: current === null ? undefined : () => viewer.findField(current),
    field: (key) => select(work.fields[Number(key) - 1] ?? null),
    zoomIn: () => viewer.zoom("in"),
    zoomOut: () => viewer.zoom("out"),
    zoomFit: () => viewer.zoom("fit"),
    rotate: viewer.rotate,
    approve:
      current !== null && isUnderReview(current)
        ? act(() => work.approve(current.slug))
        : undefined,
    approveAll: act(work.approveAll),
    reject:
      current !== null && mayBeRejected(current) ? act(() => setRejected(current)) : undefined,
    undo: work.draft.undone.length > 0 && held === null ? act(undo) : send.undo,
    send: claimed.mayDecide ? send.send : undefined,
    skip: mayReview ? skip.skip : undefined,
    comment: mayReview ? () => conversation.current?.write("comments") : undefined,
    note: mayReview ? () => conversation.current?.write("notes") : undefined,
    release: claim.isMine ? release : undefined,
  });
  const title = orderTitle(review.order_id, review.order.customer_reference);
  useFocusOnOpening(review.order_id);
  return (
    <div className={styles["case"]}>
      <WindowTitle>{`${title} – Review`}</WindowTitle>
      <CaseHeader
        review={review}
        claim={claim}
        backPath={queuePath}
        onRelease={release}
        onSkip={skip.skip}
        isSkipping={skip.isBusy}
      />
      <div className={styles["desk"]}>
        <DocumentsPanel
          viewer={viewer}
          draft={work.draft}
          onShow={selectDocument}
          onShown={work.shown}
        />
        <div className={styles["facts"]}>
          <EvidenceCard review={review} fields={work.fields} onSelect={select} />
          <CaseFacts review={review} onFind={viewer.findValue} />
          <FieldList
            review={review}
            work={work}
            mayDecide={claim.mayDecide}
            viewer={viewer}
            onSelect={select}
            onReject={setRejected}
          />
        </div>
      </div>
      {claimed.mayDecide && <SendBar work={work} send={send} onUndo={undo} />}
      <Conversation ref={conversation} review={review} />
      <History review={review} />
      <DoubtsDialog work={work} />
      {rejected !== null && (
        <RejectDrawer
          review={review}
          requirement={rejected}
          draft={work.draft}
          onReject={work.reject}
          onClose={() => setRejected(null)}
        />
      )}
    </div>
  );
}

/** Puts the focus at the top of a case that was opened by a key, for who reads by it. */
function useFocusOnOpening(orderId: string): void {
  useEffect(() => {
    document.getElementById("content")?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [orderId]);
}

interface CaseFactsProps {
  readonly review: ReviewCase;
  /** Shows a value in the document. */
  readonly onFind: (value: string) => void;
}

/** What the heading does not say; short, so that the requirements below stay in sight. */
function CaseFacts({ review, onFind }: CaseFactsProps) {
  const { order, submitted_at: submittedAt } = review;
  const found = (value: string) => (
    <button key={value} type="button" className={styles["value"]} onClick={() => onFind(value)}>
      {value}
    </button>
  );
  const { losing_carrier: carrier } = order;
  const numbers = order.phone_numbers.map(found);
  const isOne = numbers.length === 1;
  return (
    <Card title="Order">
      <Facts
        facts={[
          ["Losing carrier", carrier === null ? "Unknown" : found(carrier)],
          ["Requested date", <Time key="foc" at={order.foc_requested} form="zoned" />],
          ["Submitted", <Time key="submitted" at={submittedAt} form="past" />],
          ...(isOne ? [["Number", numbers] as const] : []),
        ]}
      />
      {!isOne && (
        <>
          <h3>{numbers.length} numbers</h3>
          <ul className={styles["numbers"]}>
            {numbers.map((number) => (
              <li key={number.key}>{number}</li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** Asks once, before all is approved, about what speaks against it. */
function DoubtsDialog({ work }: { readonly work: Work }) {
  const { doubts, settleDoubts } = work;
  if (doubts.length === 0) return null;
  return (
    <Confirm
      title="Approve against the documents?"
      verb="Approve all the same"
      isDangerous
      onConfirm={() => settleDoubts(true)}
      onClose={() => settleDoubts(false)}
    >
      <p>This speaks against the order. Cancel leaves it to be decided.</p>
      <ul className={styles["doubts"]}>
        {doubts.map(({ slug, name, against }) => (
          <li key={slug}>
            <strong>{name}</strong>: {against.join(", ")}
          </li>
        ))}
      </ul>
    </Confirm>
  );
}

interface FieldListProps {
  readonly review: ReviewCase;
  readonly work: Work;
  readonly mayDecide: boolean;
  readonly viewer: Viewer;
  readonly onSelect: (field: CaseRequirement) => void;
  readonly onReject: (field: CaseRequirement) => void;
}

/** What the order asked for and got, with the verdict on each. */
function FieldList(props: FieldListProps) {
  const { review, work, mayDecide, viewer, onSelect, onReject } = props;
  return (
    <Card title="Requirements">
      <ul className={styles["fields"]}>
        {work.fields.map((field, n) => (
          <FieldRow
            key={field.slug}
            field={field}
            number={n + 1}
            verdict={liveVerdictOn(work.draft, field)}
            rejection={lastRejection(review.history, field.slug)}
            isChanged={review.changed_slugs.includes(field.slug)}
            isCurrent={mayDecide && field.slug === work.current?.slug}
            mayApprove={mayDecide && isUnderReview(field)}
            mayReject={mayDecide && mayBeRejected(field)}
            viewer={viewer}
            onSelect={() => onSelect(field)}
            onApprove={() => work.approve(field.slug)}
            onReject={() => {
              work.select(field.slug);
              onReject(field);
            }}
          />
        ))}
      </ul>
    </Card>
  );
}

interface SendBarProps {
  readonly work: Work;
  readonly onUndo: () => void;
  readonly send: ReturnType<typeof useSend>;
}

/** What the draft comes to, always in sight. */
function SendBar({ work, send, onUndo }: SendBarProps) {
  const { draft, open, undecided } = work;
  const { isHeld } = send;
  const rejected = draft.verdicts.filter(({ decision }) => decision === "reject").length;
  const isReady = send.sendable.kind !== "incomplete";
  return (
    <section className={styles["bar"]} aria-label="Verdicts" data-bottom-bar="">
      <p role="status">
        <strong>
          {open.length - undecided.length} of {open.length}
        </strong>{" "}
        decided{rejected > 0 && `, ${rejected} rejected`}
        {isHeld ? " – sent in a moment" : draft.verdicts.length > 0 && " – not sent"}
      </p>
      <div className={styles["buttons"]}>
        <Button
          onClick={isHeld ? send.undo : onUndo}
          hotkey={keyText("undo")}
          disabled={isHeld ? send.undo === undefined : draft.undone.length === 0}
        >
          Undo
        </Button>
        <Button
          onClick={work.approveAll}
          hotkey={keyText("approveAll")}
          disabled={isHeld || undecided.length === 0}
          title="Each field without a failed check; a document only once all its pages were shown"
        >
          Approve all
        </Button>
        <Button
          kind={rejected > 0 ? "danger" : "primary"}
          onClick={send.send}
          hotkey={keyText("send")}
          isBusy={send.isBusy}
          disabled={!isReady}
        >
          {isHeld ? "Send now" : rejected > 0 ? "Return to the customer" : "Send to the carrier"}
        </Button>
      </div>
    </section>
  );
}

/** Goes to a field and its document together, so that the keys act on what is shown. */
export function useSelection(work: Work, viewer: Viewer) {
  const select = (field: CaseRequirement | null): void => {
    if (field === null) return;
    work.select(field.slug);
    if (field.document_id !== null) viewer.show(field.document_id);
  };
  const selectDocument = (id: string | null): void => {
    if (id === null) return;
    viewer.show(id);
    select(work.fields.find((field) => field.document_id === id) ?? null);
    // The field's row has been scrolled to by then, which in a narrow window leads away from the document.
    requestAnimationFrame(() =>
      document.getElementById(DOCUMENTS_ID)?.scrollIntoView({ block: "nearest" }),
    );
  };
  return { select, selectDocument, undo: () => select(work.undo()) };
}
