import { useEffect, useRef } from "react";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Time } from "../../../ui/time.tsx";
import { keyText } from "../../keys.ts";
import { fieldWords, type CaseRequirement, type Match } from "../reviews.ts";
import type { Viewer } from "../viewer/viewer.ts";
import styles from "./case.module.css";
import type { DraftVerdict } from "./draft.ts";
import {
  checkText,
  isNumber,
  isWithoutText,
  missingText,
  numbersFound,
  WITHOUT_TEXT,
  type lastRejection,
} from "./verdicts.ts";

interface ChecksProps {
  readonly field: CaseRequirement;
  readonly viewer: Viewer;
}

type Check = CaseRequirement["checks"][number];

const TONES: Readonly<Record<Check["state"], Tone>> = {
  none: "neutral",
  checking: "info",
  passed: "good",
  failed: "bad",
};

/** As many numbers are named one by one; of more, those alone that were not found. */
const MOST_NUMBERS = 5;
const MOST_MISSING = 10;

/** What was checked about a document, and whether its text holds the order's values. */
function Checks({ field, viewer }: ChecksProps) {
  const { checks, matches } = field;
  if (checks.length === 0 && matches.length === 0) return null;
  const isCounted = matches.filter(isNumber).length > MOST_NUMBERS;
  const shown = isWithoutText(field) ? [] : matches;
  return (
    <ul className={styles["checks"]} aria-label={`Checks of ${field.name}`}>
      {checks.map((check) => (
        <li key={check.check} title={check.detail ?? undefined}>
          <Badge tone={TONES[check.state]}>{checkText(check)}</Badge>
        </li>
      ))}
      {shown.length < matches.length && (
        <li>
          <Badge tone="neutral">{WITHOUT_TEXT}</Badge>
        </li>
      )}
      {isCounted && shown.length > 0 && <Numbers field={field} viewer={viewer} />}
      {shown
        .filter((match) => !isCounted || !isNumber(match))
        .map((match) => (
          <MatchItem key={`${match.what} ${match.value}`} {...{ match, field, viewer }} />
        ))}
    </ul>
  );
}

/** Many numbers: how many the document has, and the others by name. */
function Numbers({ field, viewer }: ChecksProps) {
  const { text, missing, isReadable } = numbersFound(field.matches);
  const named = missing.slice(0, MOST_MISSING);
  const more = missing.slice(MOST_MISSING);
  const item = (match: Match) => <MatchItem key={match.value} {...{ match, field, viewer }} />;
  return (
    <>
      <li>
        <Badge tone={toneOf(isReadable ? missing.length === 0 : null)}>{text}</Badge>
      </li>
      {named.map(item)}
      {more.length > 0 && (
        <li>
          <details className={styles["more"]} onClick={(event) => event.stopPropagation()}>
            <summary>{more.length} more not found</summary>
            <ul className={styles["checks"]}>{more.map(item)}</ul>
          </details>
        </li>
      )}
    </>
  );
}

function MatchItem({ match, field, viewer }: ChecksProps & { readonly match: Match }) {
  const { document_id: id } = field;
  return (
    <li>
      <button
        type="button"
        className={styles["match"]}
        title="Find it in the document"
        onClick={() => {
          if (id !== null) viewer.findValue(match.value, { id, page: match.page });
        }}
      >
        <Badge tone={toneOf(match.found)}>{matchText(match)}</Badge>
      </button>
    </li>
  );
}

function toneOf(found: boolean | null): Tone {
  if (found === null) return "neutral";
  return found ? "good" : "warning";
}

function matchText(match: Match): string {
  const { what, value, page, found } = match;
  const name = isNumber(match) ? value : fieldWords(what);
  if (found === null) return `${name}: not readable`;
  if (!found) return missingText(match);
  return page === null ? name : `${name}, page ${page}`;
}

interface FieldRowProps {
  readonly field: CaseRequirement;
  /** From 1: the key that goes to it. */
  readonly number: number;
  readonly verdict: DraftVerdict | null;
  readonly rejection: ReturnType<typeof lastRejection>;
  readonly isChanged: boolean;
  /** The keys act on it. */
  readonly isCurrent: boolean;
  /** What the operator may decide now. */
  readonly mayApprove: boolean;
  readonly mayReject: boolean;
  readonly viewer: Viewer;
  readonly onSelect: () => void;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}

const STATUS: Readonly<Record<CaseRequirement["status"], readonly [Tone, string]>> = {
  "requirement-info-pending": ["neutral", "Not given"],
  "requirement-info-under-review": ["info", "To decide"],
  "requirement-info-exception": ["bad", "Rejected"],
  approved: ["good", "Approved"],
};

export function FieldRow(props: FieldRowProps) {
  const { field, verdict, rejection, isChanged, isCurrent, mayApprove, mayReject, viewer } = props;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li
      ref={row}
      className={styles["field"]}
      data-slug={field.slug}
      aria-current={isCurrent || undefined}
      onClick={props.onSelect}
    >
      <div className={styles["name"]}>
        <h3>
          {props.number < 10 && <kbd aria-hidden="true">{props.number}</kbd>}
          {field.name}
        </h3>
        {!field.mandatory && <span className={styles["optional"]}>optional</span>}
        {isChanged && <Badge tone="warning">Changed</Badge>}
        <Standing field={field} verdict={verdict} />
      </div>
      <FieldValue field={field} viewer={viewer} />
      <Checks field={field} viewer={viewer} />
      {rejection !== null && (
        <p className={styles["before"]}>
          Rejected at attempt {rejection.attempt}: {rejection.reason}
        </p>
      )}
      {verdict?.decision === "reject" && <p className={styles["reason"]}>{verdict.reason}</p>}
      {mayReject && (
        <div className={styles["verdict"]}>
          {mayApprove && (
            <Button
              kind="plain"
              aria-pressed={verdict?.decision === "approve"}
              {...(isCurrent ? { hotkey: keyText("approve") } : {})}
              onClick={(event) => {
                event.stopPropagation();
                props.onApprove();
              }}
            >
              Approve<span className="visually-hidden"> {field.name}</span>
            </Button>
          )}
          <Button
            kind="plain"
            aria-pressed={verdict?.decision === "reject"}
            {...(isCurrent ? { hotkey: keyText("reject") } : {})}
            onClick={(event) => {
              event.stopPropagation();
              props.onReject();
            }}
          >
            Reject<span className="visually-hidden"> {field.name}</span>…
          </Button>
        </div>
      )}
    </li>
  );
}

/** The draft verdict, or else how the field stands at the service. */
function Standing({ field, verdict }: Pick<FieldRowProps, "field" | "verdict">) {
  if (verdict?.decision === "approve") return <Badge tone="good">Approve, not sent</Badge>;
  if (verdict?.decision === "reject") return <Badge tone="bad">Reject, not sent</Badge>;
  const [tone, text] = STATUS[field.status];
  return <Badge tone={tone}>{text}</Badge>;
}

interface FieldValueProps {
  readonly field: CaseRequirement;
  readonly viewer: Viewer;
}

/** The value, and what stood there at the attempt before. */
function FieldValue({ field, viewer }: FieldValueProps) {
  if (field.document_id !== null) return <DocumentValue field={field} viewer={viewer} />;
  const { field_value: value, previous_value: previous } = field;
  if (value === null) return <p className="muted">No value</p>;
  const isChanged = previous !== null && previous !== value;
  return (
    <p className={styles["values"]}>
      {isChanged && (
        <>
          <del className="muted">
            <span className="visually-hidden">Before: </span>
            {previous}
          </del>
          <span aria-hidden="true">→</span>
          <span className="visually-hidden">Now: </span>
        </>
      )}
      <button
        type="button"
        className={styles["value"]}
        title="Find it in the document"
        onClick={() => viewer.findValue(value)}
      >
        {value}
      </button>
    </p>
  );
}

function DocumentValue({ field, viewer }: FieldValueProps) {
  const { document_id: id, document_date: date, previous_document_id: previous, name } = field;
  if (id === null) return null;
  return (
    <p className={styles["values"]}>
      <button type="button" className={styles["value"]} onClick={() => viewer.show(id)}>
        {viewer.shown?.document.id === id ? "Document shown" : "Show document"}
        <span className="visually-hidden"> {name}</span>
      </button>
      {date !== null && (
        <span>
          dated <Time at={date} form="day" />
        </span>
      )}
      {previous !== null && previous !== id && <span>replaces an earlier file</span>}
    </p>
  );
}
