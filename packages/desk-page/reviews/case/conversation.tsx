import { useQueryClient } from "@tanstack/react-query";
import {
  useImperativeHandle,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SubmitEvent,
} from "react";
import { Link } from "wouter";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { useCommand } from "../../../ui/http/command.ts";
import { Card } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import { keyText } from "../../keys.ts";
import { writingKey, type Writing } from "../../orders/orders.ts";
import { useMay } from "../../session.ts";
import {
  caseKey,
  nameOf,
  shortId,
  type AccountCase,
  type EarlierCase,
  type ReviewCase,
} from "../reviews.ts";
import styles from "./case.module.css";

/** The place of the comments on the page. */
export const COMMENTS_ID = "comments";

type Kind = "comments" | "notes";

export interface ConversationHandle {
  /** Puts the cursor where one is written. */
  write(kind: Kind): void;
}

interface ConversationProps {
  readonly review: ReviewCase;
  readonly ref: Ref<ConversationHandle>;
}

const AUTHORS: Readonly<Record<ReviewCase["comments"][number]["author_type"], string>> = {
  customer: "Customer",
  ops: "Desk",
  carrier: "Carrier",
  system: "System",
};

/** What is said to the customer, and what stays at the desk. */
export function Conversation({ review, ref }: ConversationProps) {
  const fields = {
    comments: useRef<HTMLTextAreaElement>(null),
    notes: useRef<HTMLTextAreaElement>(null),
  };
  useImperativeHandle(ref, () => ({ write: (kind) => fields[kind].current?.focus() }));
  const mayWrite = useMay("reviewer");
  return (
    <div className={styles["below"]} id={COMMENTS_ID}>
      <Card title="Comments – the customer reads them">
        <Entries
          entries={review.comments.map((one) => ({ ...one, author: AUTHORS[one.author_type] }))}
        />
        {mayWrite && <Composer orderId={review.order_id} kind="comments" field={fields.comments} />}
      </Card>
      <Card title="Notes – the desk alone reads them">
        <Entries entries={review.notes.map((one) => ({ ...one, author: one.author.name }))} />
        {mayWrite && <Composer orderId={review.order_id} kind="notes" field={fields.notes} />}
      </Card>
    </div>
  );
}

interface Entry {
  readonly id: string;
  readonly body: string;
  readonly author: string;
  readonly created_at: string;
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return <p className="muted">None yet.</p>;
  return (
    <ul className={styles["entries"]}>
      {entries.map(({ id, body, author, created_at: at }) => (
        <li key={id}>
          <p className={styles["byline"]}>
            <strong>{author}</strong> <Time at={at} />
          </p>
          <p className="as-written">{body}</p>
        </li>
      ))}
    </ul>
  );
}

interface ComposerProps {
  readonly orderId: string;
  readonly kind: Kind;
  readonly field: Ref<HTMLTextAreaElement>;
}

type Words = readonly [label: string, button: string, written: Writing];

/** What is written has a key of its name. */
const WORDS: Readonly<Record<Kind, Words>> = {
  comments: ["Comment to the customer", "Send the comment", "comment"],
  notes: ["Internal note", "Save the note", "note"],
};

function Composer({ orderId, kind, field }: ComposerProps) {
  const [label, button, written] = WORDS[kind];
  const key = writingKey(written, orderId);
  const { text, write, takeOut } = useDraft(key);
  const client = useQueryClient();
  const toasts = useToasts();
  const command = useCommand({ draft: key });
  const post = (): void => {
    const body = text.trim();
    if (body === "" || command.isPending) return;
    command.run(
      { path: `/desk/v1/orders/${orderId}/${kind}`, body: { body } },
      {
        onDone: () => {
          takeOut(body);
          void client.invalidateQueries({ queryKey: caseKey(orderId) });
        },
        onFailed: toasts.failed,
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === "Escape") event.currentTarget.blur();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) post();
    else return;
    // The page's own Ctrl+Enter would send the verdicts.
    event.preventDefault();
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    post();
  };
  return (
    <form className={styles["composer"]} onSubmit={onSubmit}>
      <textarea
        ref={field}
        aria-label={label}
        placeholder={`${label} (${keyText(written)})`}
        rows={2}
        maxLength={4_000}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" isBusy={command.isPending} disabled={text.trim() === ""}>
        {button}
      </Button>
    </form>
  );
}

/** What was decided before: about this order, and about others of the account. */
export function History({ review }: { readonly review: ReviewCase }) {
  const { history, account_history: others, order, requirements } = review;
  const nameFor = (slug: string): string => nameOf(requirements, slug);
  return (
    <div className={styles["below"]}>
      <Card title="Earlier attempts of this order">
        {history.length === 0 ? (
          <p className="muted">This is the first.</p>
        ) : (
          <ul className={styles["entries"]}>
            {history.map((one) => (
              <Earlier key={one.attempt} one={one} nameFor={nameFor} />
            ))}
          </ul>
        )}
      </Card>
      <Card title={`Other orders of ${order.account.name}`}>
        {others.length === 0 ? (
          <p className="muted">None that was submitted before this one has been decided.</p>
        ) : (
          <ul className={styles["entries"]}>
            {others.map((one) => (
              <Other key={`${one.order_id} ${one.attempt}`} one={one} nameFor={nameFor} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

interface ClosedCaseProps<Case> {
  readonly one: Case;
  readonly nameFor: (slug: string) => string;
}

function Earlier({ one, nameFor }: ClosedCaseProps<EarlierCase>) {
  const rejected = one.decisions.filter(({ decision }) => decision === "reject");
  return (
    <li>
      <Byline one={one} title={`Attempt ${one.attempt}`} isRejected={rejected.length > 0} />
      {rejected.map(({ slug, phone_number: number, reason }) => (
        <p key={slug + (number ?? "")} className="as-written">
          {nameFor(slug + (number ?? ""))}: {reason}
        </p>
      ))}
      {one.changed_slugs.length > 0 && (
        <p className="muted">Changed: {one.changed_slugs.map(nameFor).join(", ")}</p>
      )}
    </li>
  );
}

function Other({ one, nameFor }: ClosedCaseProps<AccountCase>) {
  return (
    <li>
      <Byline
        one={one}
        title={<Link href={`/reviews/${one.order_id}`}>Order {shortId(one.order_id)}</Link>}
        isRejected={one.rejected.length > 0}
      />
      {one.rejected.map(({ slug, reason }) => (
        <p key={slug} className="as-written">
          {nameFor(slug)}: {reason}
        </p>
      ))}
    </li>
  );
}

interface BylineProps {
  readonly one: Pick<EarlierCase, "state" | "outcome" | "decided_at" | "decided_by">;
  readonly title: ReactNode;
  readonly isRejected: boolean;
}

function Byline({ one, title, isRejected }: BylineProps) {
  const [tone, text] = resultOf(one, isRejected);
  return (
    <p className={styles["byline"]}>
      <strong>{title}</strong> <Badge tone={tone}>{text}</Badge>{" "}
      {one.decided_by !== null && `${one.decided_by.name}, `}
      {one.decided_at !== null && <Time at={one.decided_at} />}
    </p>
  );
}

function resultOf(
  { state, outcome }: BylineProps["one"],
  isRejected: boolean,
): readonly [Tone, string] {
  if (state === "withdrawn" || outcome === "superseded") return ["neutral", "Cancelled"];
  if (state === "open") return ["info", "Open"];
  return isRejected ? ["bad", "Rejected"] : ["good", "Approved"];
}
