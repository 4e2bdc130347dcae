import { Badge, type Tone } from "../../../ui/badge.tsx";
import { fieldWords, wordsOf } from "../labels.ts";
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

/** What was checked about a document, and whether its text holds the order's values. */
export function Checks({ field, viewer }: ChecksProps) {
  const { checks, matches, document_id: id } = field;
  if (checks.length === 0 && matches.length === 0) return null;
  return (
    <ul className={styles["checks"]} aria-label={`Checks of ${field.name}`}>
      {checks.map((check) => (
        <li key={check.check} title={check.detail ?? undefined}>
          <Badge tone={TONES[check.state]}>{checkText(check)}</Badge>
        </li>
      ))}
      {matches.map((match) => (
        <li key={`${match.what} ${match.value}`}>
          <button
            type="button"
            className={styles["match"]}
            title="Find it in the document"
            onClick={(event) => {
              event.stopPropagation();
              if (id !== null) viewer.findValue(match.value, { id, page: match.page });
            }}
          >
            <Badge tone={toneOf(match.found)}>{matchText(match, match.found)}</Badge>
          </button>
        </li>
      ))}
    </ul>
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

function matchText({ what, value, page }: Match, found: boolean | null): string {
  const name = what === "phone_number" ? value : fieldWords(what);
  if (found === null) return `${name}: not readable`;
  if (!found) return `${name} not found`;
  return page === null ? name : `${name}, page ${page}`;
}
