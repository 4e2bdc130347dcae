import { useEffect, useRef } from "react";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { keyText } from "../../keys/key-table.ts";
import type { DraftVerdict } from "../drafts/draft.ts";
import type { CaseRequirement } from "../types.ts";
import type { Viewer } from "../viewer/use-viewer.ts";
import styles from "./case.module.css";
import { Checks } from "./checks.tsx";
import { FieldValue } from "./field-value.tsx";

interface FieldRowProps {
  readonly field: CaseRequirement;
  readonly verdict: DraftVerdict | null;
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
  const { field, verdict, isChanged, isCurrent, mayApprove, mayReject, viewer } = props;
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
        <h3>{field.name}</h3>
        {!field.mandatory && <span className={styles["optional"]}>optional</span>}
        {isChanged && <Badge tone="warning">Changed</Badge>}
        <Standing field={field} verdict={verdict} />
      </div>
      <FieldValue field={field} viewer={viewer} />
      <Checks field={field} viewer={viewer} />
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
