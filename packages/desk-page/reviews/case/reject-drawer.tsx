import { useQuery } from "@tanstack/react-query";
import { useId, useRef, type KeyboardEvent } from "react";
import type { z } from "zod";
import type { rejectionTextAnswer } from "../../../../services/desk/texts/answers.ts";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { FormModal } from "../../../ui/modal.tsx";
import { useCommand } from "../../../ui/http/command.ts";
import { useList } from "../../../ui/http/read.ts";
import { Failure, Skeleton } from "../../../ui/states.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import { keyText } from "../../keys.ts";
import { reasonsQuery, type CaseRequirement, type ReviewCase } from "../reviews.ts";
import styles from "./case.module.css";
import { verdictOn, withVerdicts, type Draft, type DraftVerdict } from "./draft.ts";
import { readKey } from "../../../../services/domain/requirement/rules/number-values.ts";
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
  const { slug: key, name } = requirement;
  const { slug } = readKey(key);
  const before = verdictOn(draft, key);
  // Esc closes the drawer, and what was written is there again when it is opened.
  const kept = useDraft(`reject:${review.order_id}:${review.attempt}:${key}`);
  const { code, reason } = wordsOf(kept.text, before);
  const write = (words: Words): void => kept.write(JSON.stringify(words));
  const leave = (): void => {
    kept.write("");
    onClose();
  };
  const verdict: DraftVerdict = {
    slug: key,
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
        reason={reason}
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
      {isReady && <KeepText verdict={{ ...verdict, slug }} />}
    </FormModal>
  );
}

function wordsOf(kept: string, before: DraftVerdict | null): Words {
  if (kept !== "") return JSON.parse(kept) as Words;
  return before === null ? { reason: "" } : { code: before.code, reason: before.reason ?? "" };
}

type OwnText = z.infer<typeof rejectionTextAnswer>;

const TEXTS_PATH = "/desk/v1/rejection_texts";

function useOwnTexts(slug: string): readonly OwnText[] {
  const { data } = useList<OwnText>("rejection-texts", TEXTS_PATH);
  return data?.data.filter((one) => one.slug === slug) ?? [];
}

/** Saves what was written, to be chosen for the next one. */
function KeepText({ verdict: { slug, code, reason } }: { readonly verdict: DraftVerdict }) {
  const command = useCommand({ refreshes: ["rejection-texts"] });
  const toasts = useToasts();
  const own = useOwnTexts(slug);
  const { data } = useQuery(reasonsQuery());
  const isKnown = [...own, ...(data?.data ?? [])].some(({ text }) => text === reason);
  if (isKnown) return null;
  return (
    <Button
      kind="quiet"
      isBusy={command.isPending}
      onClick={() =>
        command.run(
          { path: TEXTS_PATH, body: { slug, code, text: reason } },
          { onFailed: toasts.failed },
        )
      }
    >
      Keep this text for the next time
    </Button>
  );
}

interface ReasonsProps {
  readonly slug: string;
  readonly code: Code;
  /** What is written now. */
  readonly reason: string;
  /** Null for one's own words. */
  readonly onChoose: (reason: Choice | null) => void;
}

/** A reason of the catalogue, or a text that the operator has kept. */
interface Choice {
  readonly key: string;
  readonly code: string | null;
  readonly title: string;
  readonly text: string;
  readonly own: OwnText | null;
}

function Reasons({ slug, code, reason: written, onChoose }: ReasonsProps) {
  const { data, error, refetch } = useQuery(reasonsQuery());
  const texts = useOwnTexts(slug);
  const remove = useCommand({ refreshes: ["rejection-texts"] });
  const toasts = useToasts();
  const group = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={4} />;
  const choices: readonly Choice[] = [
    ...reasonsFor(data.data, slug).map((one) => ({ ...one, key: one.code, own: null })),
    ...texts.map((own) => ({ key: own.id, code: own.code, title: own.text, text: own.text, own })),
  ];
  const kept = choices.find(({ own, text }) => own !== null && text === written);
  const chosen = kept ?? choices.find((one) => one.own === null && one.code === code);
  /** A digit chooses a reason, which Enter then sends; 0 is for one's own words. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || !/^\d$/.test(event.key)) return;
    event.preventDefault();
    const nth = Number(event.key) - 1;
    const choice = choices[nth] ?? null;
    if (choice === null && nth >= 0) return;
    onChoose(choice);
    if (choice === null) list.current?.form?.querySelector("textarea")?.focus();
    else list.current?.querySelectorAll("input")[nth]?.focus();
  };
  return (
    <fieldset ref={list} className={styles["reasons"]} onKeyDown={onKeyDown}>
      <legend>Reason</legend>
      {choices.map((choice, n) => (
        <div key={choice.key}>
          <label>
            <input
              type="radio"
              name={group}
              autoFocus={code === undefined ? n === 0 : choice === chosen}
              checked={choice === chosen}
              onChange={() => onChoose(choice)}
            />
            {n < 9 && <kbd aria-hidden="true">{n + 1}</kbd>}
            <span>
              {choice.title}
              {choice.own === null && <code>{choice.code}</code>}
            </span>
          </label>
          {choice.own !== null && (
            <Button
              kind="quiet"
              aria-label={`Remove the text: ${choice.text}`}
              onClick={() =>
                remove.run(
                  { method: "DELETE", path: `${TEXTS_PATH}/${choice.key}` },
                  { onFailed: toasts.failed },
                )
              }
            >
              ✕
            </Button>
          )}
        </div>
      ))}
      <label>
        <input
          type="radio"
          name={group}
          autoFocus={code === null && chosen === undefined}
          checked={code === null && chosen === undefined}
          onChange={() => onChoose(null)}
        />
        <kbd aria-hidden="true">0</kbd>
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
          <li key={`${slug ?? ""} ${detail}`}>
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
