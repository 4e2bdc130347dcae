import { Button } from "../../../ui/button.tsx";
import { DataView } from "../../../ui/data-view.tsx";
import { Card } from "../../../ui/page.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { withDraft } from "../../../ui/use-draft.ts";
import { useMay } from "../../session/session.ts";
import { writingKey } from "../write/writing-key.ts";
import { useComments, type useTimeline } from "../queries.ts";
import styles from "./conversation-card.module.css";
import { conversationOf, type Text } from "./conversation.ts";

interface ConversationCardProps {
  readonly orderId: string;
  /** Where notes stand, which are no comments. */
  readonly timeline: ReturnType<typeof useTimeline>;
  readonly onComment: () => void;
  readonly onNote: () => void;
}

/** Comments, which the customer reads, and notes, which only the desk reads and which look so. */
export function ConversationCard({ orderId, timeline, onComment, onNote }: ConversationCardProps) {
  const query = useComments(orderId);
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const mayWrite = useMay("reviewer");
  return (
    <Card title="Comments and notes">
      {mayWrite && (
        <div className={styles["write"]}>
          <Button hotkey="c" onClick={onComment}>
            {withDraft("Comment to the customer", writingKey("comment", orderId))}
          </Button>
          <Button hotkey="n" onClick={onNote} className={styles["note-button"] ?? ""}>
            {withDraft("Internal note", writingKey("note", orderId))}
          </Button>
        </div>
      )}
      <DataView query={query}>
        {(comments) => (
          <Texts
            texts={conversationOf(comments, timeline.data ?? [])}
            isAwaited={timeline.isPending}
          />
        )}
      </DataView>
      {hasNextPage && (
        <Button kind="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier ones
        </Button>
      )}
    </Card>
  );
}

interface TextsProps {
  readonly texts: readonly Text[];
  /** The notes have not come yet. */
  readonly isAwaited: boolean;
}

function Texts({ texts, isAwaited }: TextsProps) {
  if (texts.length === 0) {
    if (isAwaited) return <Skeleton lines={3} />;
    return <p className={styles["none"]}>Nobody has written anything yet.</p>;
  }
  return (
    <ol className={styles["comments"]}>
      {texts.map(({ id, who, isInternal, isToCustomer, at, body }) => (
        <li key={id} className={isInternal ? styles["note"] : ""}>
          <p className={styles["who"]}>
            <strong>{who}</strong>
            {isInternal && " · internal note"}
            {isToCustomer && " · to the customer"} · <Time at={at} />
          </p>
          <p className={styles["body"]}>{body}</p>
        </li>
      ))}
    </ol>
  );
}
