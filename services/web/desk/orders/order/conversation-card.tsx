import { Button } from "../../../ui/button.tsx";
import { DataView } from "../../../ui/data-view.tsx";
import { Card } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import { withDraft } from "../../../ui/use-draft.ts";
import { useMay } from "../../session/session.ts";
import { writingKey } from "../write/writing-key.ts";
import { useComments, type TimelineEntry } from "../queries.ts";
import styles from "./conversation-card.module.css";
import { conversationOf, type Text } from "./conversation.ts";

interface ConversationCardProps {
  readonly orderId: string;
  /** Where notes stand, which are no comments. */
  readonly timeline: readonly TimelineEntry[];
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
        {(comments) => <Texts texts={conversationOf(comments, timeline)} />}
      </DataView>
      {hasNextPage && (
        <Button kind="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier ones
        </Button>
      )}
    </Card>
  );
}

function Texts({ texts }: { readonly texts: readonly Text[] }) {
  if (texts.length === 0) {
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
