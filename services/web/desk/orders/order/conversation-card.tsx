import { Button } from "../../../ui/button.tsx";
import { DataView } from "../../../ui/data-view.tsx";
import { Card } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import { useMay } from "../../session/session.ts";
import { useComments, type Comment } from "../queries.ts";
import styles from "./conversation-card.module.css";

interface ConversationCardProps {
  readonly orderId: string;
  readonly onComment: () => void;
  readonly onNote: () => void;
}

/** Comments, which the customer reads, and notes, which only the desk reads and which look so. */
export function ConversationCard({ orderId, onComment, onNote }: ConversationCardProps) {
  const query = useComments(orderId);
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const mayWrite = useMay("reviewer");
  return (
    <Card title="Comments and notes">
      {mayWrite && (
        <div className={styles["write"]}>
          <Button hotkey="c" onClick={onComment}>
            Comment to the customer
          </Button>
          <Button hotkey="n" onClick={onNote} className={styles["note-button"] ?? ""}>
            Internal note
          </Button>
        </div>
      )}
      <DataView query={query}>
        {(comments) =>
          comments.length === 0 ? (
            <p className={styles["none"]}>Nobody has written anything yet.</p>
          ) : (
            <ol className={styles["comments"]}>
              {comments.map((comment) => (
                <Written key={comment.id} comment={comment} />
              ))}
            </ol>
          )
        }
      </DataView>
      {hasNextPage && (
        <Button kind="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier ones
        </Button>
      )}
    </Card>
  );
}

const AUTHORS = {
  customer: "Customer",
  ops: "Desk",
  carrier: "Carrier",
  system: "Service",
} as const;

function Written({ comment }: { readonly comment: Comment }) {
  const { body, author, author_type: side, created_at: at, internal } = comment;
  return (
    <li className={internal ? styles["note"] : styles["comment"]}>
      <p className={styles["who"]}>
        <strong>{author?.name ?? AUTHORS[side]}</strong>
        {internal ? " · internal note" : side === "ops" && " · to the customer"} · <Time at={at} />
      </p>
      <p className={styles["body"]}>{body}</p>
    </li>
  );
}
