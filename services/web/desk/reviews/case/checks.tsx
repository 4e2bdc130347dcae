import { Badge, type Tone } from "../../../ui/badge.tsx";
import { fieldWords, wordsOf } from "../labels.ts";
import { isNumber, missingText, numbersFound } from "../rules/evidence.ts";
import type { CaseRequirement, Match } from "../types.ts";
import type { Viewer } from "../viewer/use-viewer.ts";
import styles from "./case.module.css";

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

const NAMES: Readonly<Record<string, string>> = {
  opens: "Opens",
  age: "Age",
  scan: "Virus scan",
  pages: "Pages",
};

/** As many numbers are named one by one; of more, those alone that were not found. */
const MOST_NUMBERS = 5;
const MOST_MISSING = 10;

/** What was checked about a document, and whether its text holds the order's values. */
export function Checks({ field, viewer }: ChecksProps) {
  const { checks, matches } = field;
  if (checks.length === 0 && matches.length === 0) return null;
  const isCounted = matches.filter(isNumber).length > MOST_NUMBERS;
  return (
    <ul className={styles["checks"]} aria-label={`Checks of ${field.name}`}>
      {checks.map((check) => (
        <li key={check.check} title={check.detail ?? undefined}>
          <Badge tone={TONES[check.state]}>{checkText(check)}</Badge>
        </li>
      ))}
      {isCounted && <Numbers field={field} viewer={viewer} />}
      {matches
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
        onClick={(event) => {
          event.stopPropagation();
          if (id !== null) viewer.findValue(match.value, { id, page: match.page });
        }}
      >
        <Badge tone={toneOf(match.found)}>{matchText(match)}</Badge>
      </button>
    </li>
  );
}

function checkText({ check, state, detail }: Omit<Check, "check"> & { check: string }): string {
  const name = NAMES[check] ?? wordsOf(check);
  if (state === "passed") return detail ?? name;
  return detail === null ? `${name}: ${state}` : `${name}: ${detail}`;
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
