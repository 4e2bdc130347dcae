import { useId, useState, type ReactNode } from "react";
import { isEditable } from "../../../../domain/order/rules/status-facts.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import type { Order, Readiness, Requirement } from "../order-types.ts";
import { isOpen, requirementWords } from "../order-words.ts";
import { AddressForm } from "./address-form.tsx";
import { DocumentForm } from "./document-form.tsx";
import styles from "./requirements.module.css";
import { ValueForm } from "./value-form.tsx";

export type Block = Pick<Readiness["blocking"][number], "code" | "detail">;

export interface ItemProps {
  readonly order: Order;
  readonly requirement: Requirement;
  /** Why it keeps the order from being submitted. */
  readonly block: Block | undefined;
}

export interface FormProps {
  readonly order: Order;
  readonly requirement: Requirement;
  readonly onDone: () => void;
}

/** One requirement: its form while it is open, else its value and a way to change it. */
export function RequirementItem({ order, requirement, block }: ItemProps) {
  const [isChanging, setIsChanging] = useState(false);
  const mayChange = isEditable(order);
  const isAsked = mayChange && (isOpen(requirement) || isChanging);
  const form = { order, requirement, onDone: () => setIsChanging(false) };
  return (
    <ItemFrame requirement={requirement} block={block}>
      {isAsked ? (
        <Form {...form} />
      ) : (
        <div className={styles["given"]}>
          <Given requirement={requirement} />
          {mayChange && (
            <Button
              kind="quiet"
              onClick={() => setIsChanging(true)}
              aria-label={`Change ${requirement.name}`}
            >
              Change
            </Button>
          )}
        </div>
      )}
    </ItemFrame>
  );
}

function Form(props: FormProps) {
  switch (props.requirement.field_type) {
    case "document":
      return <DocumentForm {...props} />;
    case "address":
      return <AddressForm {...props} />;
    case "text":
    case "date":
    case "choice":
      return <ValueForm {...props} />;
  }
}

interface ItemFrameProps {
  readonly requirement: Requirement;
  readonly block: Block | undefined;
  readonly children: ReactNode;
}

/** A requirement's name, where it stands, and what was found wrong with it. */
export function ItemFrame({ requirement, block, children }: ItemFrameProps) {
  const id = useId();
  const [text, tone] =
    block?.code === "checking"
      ? (["Being checked", "info"] as const)
      : requirementWords(requirement);
  const isWrong = block?.code === "check_failed" || block?.code === "document_too_old";
  return (
    <li className={styles["item"]} aria-labelledby={id}>
      <header className={styles["head"]}>
        <h3 id={id}>{requirement.name}</h3>
        {isWrong ? <Badge tone="bad">Not accepted</Badge> : <Badge tone={tone}>{text}</Badge>}
      </header>
      {requirement.status === "requirement-info-exception" && (
        <p className={styles["wrong"]}>{requirement.exception_reason}</p>
      )}
      {isWrong && <p className={styles["wrong"]}>{block.detail}</p>}
      {children}
    </li>
  );
}

function Given({ requirement }: { readonly requirement: Requirement }) {
  const { field_type: type, field_value: value } = requirement;
  if (value === null) return <span className={styles["muted"]}>Not given</span>;
  if (type !== "document") return <span className={styles["value"]}>{value}</span>;
  return (
    <a href={`/v2/documents/${value}`} target="_blank" rel="noreferrer">
      Open the document
    </a>
  );
}
