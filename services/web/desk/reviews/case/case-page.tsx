import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { DataView } from "../../../ui/data-view.tsx";
import { useKeyActions } from "../../keys/key-table.ts";
import type { ScreenProps } from "../../screens.tsx";
import { useMay } from "../../session/session.ts";
import { orderTitle } from "../labels.ts";
import { aheadQuery, caseQuery } from "../queries.ts";
import { filtersOf } from "../queue/filters.ts";
import { useNextCase } from "../queue/use-next-case.ts";
import { isUnderReview, mayBeRejected } from "../rules/field-order.ts";
import type { CaseRequirement, ReviewCase } from "../types.ts";
import { DocumentsPanel } from "../viewer/documents-panel.tsx";
import { useViewer } from "../viewer/use-viewer.ts";
import { CaseHeader } from "./case-header.tsx";
import styles from "./case.module.css";
import { Conversation, type ConversationHandle } from "./conversation.tsx";
import { CaseFacts } from "./case-facts.tsx";
import { DoubtsDialog } from "./doubts-dialog.tsx";
import { FieldList } from "./field-list.tsx";
import { History } from "./history.tsx";
import { RejectDrawer } from "./reject-drawer.tsx";
import { SendBar } from "./send-bar.tsx";
import { useClaim } from "./use-claim.ts";
import { useSelection } from "./use-selection.ts";
import { useSend } from "./use-send.ts";
import { useSkip } from "./use-skip.ts";
import { useWork } from "./use-work.ts";

/** A case: what the customer sent, and the verdicts on it. */
export default function CasePage({ params }: ScreenProps) {
  const id = params["id"] ?? "";
  const client = useQueryClient();
  const query = useQuery({
    ...caseQuery(id),
    placeholderData: () => client.getQueryData(aheadQuery(id).queryKey),
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
  const claim = useClaim(review);
  const work = useWork(review, claim);
  const viewer = useViewer(review);
  const next = useNextCase(filtersOf(search), search);
  const skip = useSkip(review, { isMine: claim.isMine, search });
  const [rejected, setRejected] = useState<CaseRequirement | null>(null);
  const conversation = useRef<ConversationHandle>(null);
  const mayReview = useMay("reviewer");
  const send = useSend(review, work.draft, { next, onSent: work.clear });
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
    undo: act(undo),
    send: act(send.send),
    skip: mayReview ? skip.skip : undefined,
    comment: mayReview ? () => conversation.current?.write("comments") : undefined,
    note: mayReview ? () => conversation.current?.write("notes") : undefined,
    release: claim.isMine ? release : undefined,
  });
  const title = orderTitle(review.order_id, review.order.customer_reference);
  useFocusOnOpening(review.order_id);
  return (
    <div className={styles["case"]}>
      <title>{`${title} – Review`}</title>
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
      {claim.mayDecide && <SendBar work={work} send={send} onUndo={undo} />}
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
