import type { SubmitEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { Field } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import styles from "./orders.module.css";
import { orderPath, useComments, useOrderCommand } from "./queries.ts";

const AUTHORS: Readonly<Record<string, string>> = {
  customer: "You",
  ops: "Porting desk",
  carrier: "Losing carrier",
  system: "Service",
};

const MAX_LENGTH = 4_000;

export function Comments({ orderId }: { readonly orderId: string }) {
  const comments = useComments(orderId);
  return (
    <Card title="Comments">
      <DataView query={comments}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={styles["muted"]}>
              None yet. The porting desk reads what you write, and answers here.
            </p>
          ) : (
            <ol className={styles["entries"]}>
              {data.toReversed().map((comment) => (
                <li key={comment.id}>
                  <small>
                    {AUTHORS[comment.author_type] ?? comment.author_type},{" "}
                    <Time at={comment.created_at} />
                  </small>
                  <span className={styles["body"]}>{comment.body}</span>
                </li>
              ))}
            </ol>
          )
        }
      </DataView>
      <NewComment orderId={orderId} />
    </Card>
  );
}

function NewComment({ orderId }: { readonly orderId: string }) {
  const draft = `comment:${orderId}`;
  const { text, write, takeOut } = useDraft(draft);
  const add = useOrderCommand(draft);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const path = orderPath(orderId, "/comments");
    add.run({ path, body: { body: text } }, { onDone: () => takeOut(text) });
  };
  return (
    <form className={styles["form"]} onSubmit={onSubmit}>
      <Field label="Write to the porting desk" error={add.error?.message ?? null}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            required
            maxLength={MAX_LENGTH}
            value={text}
            onChange={(event) => write(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button type="submit" isBusy={add.isPending} disabled={text.trim() === ""}>
          Send comment
        </Button>
      </div>
    </form>
  );
}
