import { useId, type ReactNode } from "react";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { isOpen, type Readiness, type Requirement } from "../orders/order-words.ts";
import { faultWords, fieldWords, useWords, type Texts } from "../languages/words.ts";
import { valuesOf } from "./number-values.ts";
import styles from "./order-form.module.css";

/** Why a field keeps the order from being sent. */
export type Block = Readiness["blocking"][number];

interface FieldFrameProps {
  readonly requirement: Requirement;
  readonly block: Block | undefined;
  /** It is the customer's turn, so that nobody reads it now. */
  readonly mayChange: boolean;
  readonly children: ReactNode;
}

/** A field's name, where it stands, what it is, and why others refused it. */
export function FieldFrame({ requirement, block, mayChange, children }: FieldFrameProps) {
  const id = useId();
  const { t } = useWords();
  const { name, about } = fieldWords(t, requirement);
  const state = stateOf(requirement, block, mayChange);
  const refusal = refusalOf(requirement, block);
  return (
    <div
      className={styles["field"]}
      // What has one control is labelled by that.
      {...(isOfParts(requirement) ? { role: "group", "aria-labelledby": id } : {})}
    >
      <header className={styles["head"]}>
        <h3 id={id}>{name}</h3>
        {state !== null && <Badge tone={state[1]}>{t(`badge.${state[0]}`)}</Badge>}
      </header>
      {refusal !== null && <p className={styles["refused"]}>{faultWords(t, refusal)}</p>}
      <p className="muted">{about}</p>
      {children}
    </div>
  );
}

function isOfParts(requirement: Requirement): boolean {
  const { field_type: type } = requirement;
  return type === "document" || type === "address" || valuesOf(requirement).length > 0;
}

type State = readonly [badge: keyof Texts["badge"], tone: Tone];

/** Null where nothing was given, and nothing will be. */
function stateOf(
  requirement: Requirement,
  block: Block | undefined,
  mayChange: boolean,
): State | null {
  if (block?.code === "checking") return ["checking", "info"];
  if (refusalOf(requirement, block) !== null) return ["refused", "bad"];
  if (requirement.status === "approved") return ["approved", "good"];
  if (!mayChange && requirement.status === "requirement-info-under-review")
    return ["reading", "info"];
  if (!isOpen(requirement)) return ["given", "good"];
  if (!mayChange) return null;
  return requirement.mandatory ? ["missing", "warning"] : ["optional", "neutral"];
}

/** What desk, carrier or check found wrong with what is saved; a person's own words stay as they are. */
function refusalOf(requirement: Requirement, block: Block | undefined) {
  if (requirement.status === "requirement-info-exception") {
    return { code: "reason", detail: requirement.exception_reason ?? "" };
  }
  return block?.code === "check_failed" || block?.code === "document_too_old" ? block : null;
}
