import { useQuery } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { Button } from "../button.tsx";
import { TextArea } from "../field.tsx";
import { useCommand } from "../http/command.ts";
import { readOf } from "../http/read.ts";
import type { Page } from "../http/request.ts";
import { Card } from "../page.tsx";
import { DataView } from "../states.tsx";
import { Time } from "../time.tsx";
import { useDraft } from "../use-draft.ts";
import styles from "./comments-card.module.css";

const SIDES = {
  customer: {
    authors: {
      customer: "You",
      ops: "Porting desk",
      carrier: "Losing carrier",
      system: "Service",
    },
    none: "None yet. The porting desk reads what you write, and answers here.",
    label: "Write to the porting desk",
  },
  desk: {
    authors: { customer: "Customer", ops: "Desk", carrier: "Carrier", system: "Service" },
    none: "None yet. The customer reads what you write, without your name.",
    label: "Write to the customer",
  },
} as const;

interface Comment {
  readonly id: string;
  readonly body: string;
  readonly author_type: keyof (typeof SIDES)["desk"]["authors"];
  /** At the desk, the operator who wrote it. */
  readonly author?: { readonly name: string } | null;
  readonly created_at: string;
}

const LOOK_AGAIN_MS = 15_000;
const MOST = 100;

interface CommentsCardProps {
  readonly side: keyof typeof SIDES;
  /** What is fetched again after a comment. */
  readonly subject: string;
  /** Of what is commented on. */
  readonly path: string;
  readonly mayWrite?: boolean;
}

/** What the customer and the desk have written about an order or a port-out, and the next comment. */
export function CommentsCard({ side, subject, path, mayWrite = true }: CommentsCardProps) {
  const { authors, none } = SIDES[side];
  const comments = useQuery({
    ...readOf<Page<Comment>>(subject, `${path}/comments?limit=${MOST}`),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <Card title="Comments">
      <DataView query={comments}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <p className="muted">{none}</p>
          ) : (
            <>
              {hasMore && <p className="muted">The latest ones:</p>}
              <ol className="entries">
                {data.toReversed().map((comment) => (
                  <li key={comment.id}>
                    <small>
                      {comment.author?.name ?? authors[comment.author_type]},{" "}
                      <Time at={comment.created_at} />
                    </small>
                    <span className="as-written">{comment.body}</span>
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </DataView>
      {mayWrite && <NewComment {...{ side, subject, path }} />}
    </Card>
  );
}

const MAX_LENGTH = 4_000;

function NewComment({ side, subject, path }: Omit<CommentsCardProps, "mayWrite">) {
  const draft = `comment:${path}`;
  const { text, write, takeOut } = useDraft(draft);
  const add = useCommand({ refreshes: [subject], draft });
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    add.run({ path: `${path}/comments`, body: { body: text } }, { onDone: () => takeOut(text) });
  };
  return (
    <form className={styles["form"]} onSubmit={onSubmit}>
      <TextArea
        label={SIDES[side].label}
        error={add.error?.message}
        rows={3}
        required
        maxLength={MAX_LENGTH}
        value={text}
        onChange={write}
      />
      <div>
        <Button type="submit" isBusy={add.isPending} disabled={text.trim() === ""}>
          Send comment
        </Button>
      </div>
    </form>
  );
}
