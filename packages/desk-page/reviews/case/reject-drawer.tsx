import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { TextArea } from "../../../ui/field.tsx";
import { FormModal } from "../../../ui/modal.tsx";
import { Failure, Skeleton } from "../../../ui/states.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import { keyText } from "../../keys.ts";
import {
  reasonsQuery,
  type CaseRequirement,
  type RejectionReason,
  type ReviewCase,
} from "../reviews.ts";
import styles from "./case.module.css";
import { verdictOn, withVerdicts, type Draft, type DraftVerdict } from "./draft.ts";
import { previewOf, reasonsFor, type Preview } from "./verdicts.ts";

interface RejectDrawerProps {
  readonly review: ReviewCase;
  readonly requirement: CaseRequirement;
  readonly draft: Draft;
  readonly onReject: (verdict: DraftVerdict) => void;
  readonly onClose: () => void;
}

/** Null for one's own words, undefined before anything is chosen. */
type Code = string | null | undefined;

interface Words {
  readonly code?: Code;
  readonly reason: string;
}

const MOST_CHARACTERS = 1_000;

/** Why a requirement is rejected, in words that its customer will read as they stand here. */
export function RejectDrawer(props: RejectDrawerProps) {
  const { review, requirement, draft, onReject, onClose } = props;
  const { slug, name } = requirement;
  const before = verdictOn(draft, slug);
  // Esc closes the drawer, and what was written is there again when it is opened.
  const kept = useDraft(`reject:${review.order_id}:${review.attempt}:${slug}`);
  const { code, reason } = wordsOf(kept.text, before);
  const write = (words: Words): void => kept.write(JSON.stringify(words));
  const leave = (): void => {
    kept.write("");
    onClose();
  };
  const verdict: DraftVerdict = {
    slug,
    decision: "reject",
    code: code ?? null,
    reason: reason.trim(),
  };
  const isReady = verdict.reason !== "";
  const reject = (): void => {
    onReject(verdict);
    leave();
  };
  const { verdicts } = withVerdicts(draft, [verdict]);
  return (
    <FormModal
      title={`Reject: ${name}`}
      placement="drawer"
      verb="Reject"
      kind="danger"
      hotkey={keyText("send")}
      isReady={isReady}
      onSubmit={reject}
      onLeave={leave}
      onClose={onClose}
      below={
        isReady && (
          <PreviewOfRejection
            preview={previewOf(review.order_id, verdicts, new Date().toISOString())}
          />
        )
      }
    >
      <Reasons
        slug={slug}
        code={code}
        onChoose={(chosen) => {
          write(
            chosen === null ? { code: null, reason } : { code: chosen.code, reason: chosen.text },
          );
        }}
      />
      <TextArea
        label="What the customer is told"
        hint={
          isReady ? "You may still edit it." : "Choose a reason for its text, or write your own."
        }
        required
        rows={4}
        maxLength={MOST_CHARACTERS}
        value={reason}
        onChange={(text) => write({ code: code ?? null, reason: text })}
      />
    </FormModal>
  );
}

function wordsOf(kept: string, before: DraftVerdict | null): Words {
  if (kept !== "") return JSON.parse(kept) as Words;
  return before === null ? { reason: "" } : { code: before.code, reason: before.reason ?? "" };
}

interface ReasonsProps {
  readonly slug: string;
  readonly code: Code;
  /** Null for one's own words. */
  readonly onChoose: (reason: RejectionReason | null) => void;
}

function Reasons({ slug, code, onChoose }: ReasonsProps) {
  const { data, error, refetch } = useQuery(reasonsQuery());
  const group = useId();
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={4} />;
  const reasons = reasonsFor(data.data, slug);
  return (
    <fieldset className={styles["reasons"]}>
      <legend>Reason</legend>
      {reasons.map((reason, n) => (
        <label key={reason.code}>
          <input
            type="radio"
            name={group}
            autoFocus={code === undefined ? n === 0 : code === reason.code}
            checked={code === reason.code}
            onChange={() => onChoose(reason)}
          />
          <span>
            {reason.title}
            <code>{reason.code}</code>
          </span>
        </label>
      ))}
      <label>
        <input
          type="radio"
          name={group}
          autoFocus={code === null}
          checked={code === null}
          onChange={() => onChoose(null)}
        />
        <span>Own words, without a code</span>
      </label>
    </fieldset>
  );
}

/** What the customer will see once the verdicts are sent. */
function PreviewOfRejection({ preview }: { readonly preview: Preview }) {
  const { events, exceptions, status } = preview;
  return (
    <section className={styles["preview"]} aria-label="Preview">
      <h3>What the customer will see</h3>
      <p>
        New status <code data-preview="status">{status}</code>
      </p>
      <h4>
        <code>exceptions[]</code>
      </h4>
      <ul>
        {exceptions.map(({ slug, code, detail }) => (
          <li key={slug}>
            <code>{slug}</code> {code !== null && <code>{code}</code>}
            <p>{detail}</p>
          </li>
        ))}
      </ul>
      <h4>Events</h4>
      <ol>
        {events.map(({ type, payload }, n) => (
          <li key={n}>
            <code>{type}</code>
            <pre>{JSON.stringify(payload, null, 2)}</pre>
          </li>
        ))}
      </ol>
    </section>
  );
}
