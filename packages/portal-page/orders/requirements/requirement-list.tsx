import { useId, useMemo, useRef, useState, type ReactNode } from "react";
import { isEditable } from "../../../../services/domain/order/rules/status-facts.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { FormModal } from "../../../ui/modal.tsx";
import { Card } from "../../../ui/page.tsx";
import { Failure } from "../../../ui/states.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import {
  isOpen,
  LETTER,
  requirementWords,
  type Order,
  type Readiness,
  type Requirement,
} from "../order-words.ts";
import { orderPath, useOrderCommand, useReadiness } from "../orders.ts";
import { AddressForm, DocumentForm, ValueForm } from "./requirement-forms.tsx";
import styles from "./requirements.module.css";
import { SignaturePad, type Drawing } from "./signature-pad.tsx";

/** What the order asks for: mandatory first with the letter last, because it states the others; the rest is folded. */
export function RequirementList({ order }: { readonly order: Order }) {
  const { data: readiness } = useReadiness(order.id);
  const blocking = useMemo(
    () => new Map(readiness?.blocking.map(({ slug, ...block }) => [slug, block])),
    [readiness],
  );
  const { requirements } = order;
  const mandatory = requirements.filter((one) => one.mandatory && one.slug !== LETTER);
  const optional = requirements.filter((one) => !one.mandatory && one.slug !== LETTER);
  const letter = requirements.find(({ slug }) => slug === LETTER);
  const item = (requirement: Requirement) => (
    <RequirementItem
      key={requirement.slug}
      {...{ order, requirement }}
      block={blocking.get(requirement.slug)}
    />
  );
  return (
    <Card title="What is needed">
      {!isEditable(order) && (
        <p className="muted">
          Nothing can be changed while others work on the order. If something is rejected, it can be
          corrected here.
        </p>
      )}
      <ul className={styles["list"]}>
        {mandatory.map(item)}
        {letter !== undefined && (
          <LetterItem {...{ order, requirement: letter }} block={blocking.get(LETTER)} />
        )}
      </ul>
      {optional.length > 0 && (
        <details className={styles["optional"]}>
          <summary>Optional ({optional.length})</summary>
          <ul className={styles["list"]}>{optional.map(item)}</ul>
        </details>
      )}
    </Card>
  );
}

type Block = Pick<Readiness["blocking"][number], "code" | "detail">;

interface ItemProps {
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
function RequirementItem({ order, requirement, block }: ItemProps) {
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
function ItemFrame({ requirement, block, children }: ItemFrameProps) {
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
  if (value === null) return <span className="muted">Not given</span>;
  if (type !== "document") return <span className={styles["value"]}>{value}</span>;
  return (
    <a href={`/v2/documents/${value}`} target="_blank" rel="noreferrer">
      Open the document
    </a>
  );
}

/** The letter of authorization: read it, sign it here, or upload one that was signed elsewhere. */
function LetterItem({ order, requirement, block }: ItemProps) {
  const [doing, setDoing] = useState<"nothing" | "signing" | "uploading">("nothing");
  const stop = (): void => setDoing("nothing");
  const isMissing = isOpen(requirement);
  const isSigned = requirement.field_value !== null;
  return (
    <ItemFrame requirement={requirement} block={block}>
      {isMissing && <p className="muted">{requirement.description}</p>}
      <div className={styles["actions"]}>
        <a href={orderPath(order.id, "/loa")} target="_blank" rel="noreferrer">
          {isSigned ? "Open the letter" : "Read the letter before you sign"}
        </a>
        {isEditable(order) && (
          <>
            <Button kind={isMissing ? "primary" : "quiet"} onClick={() => setDoing("signing")}>
              {isMissing ? "Sign the letter" : "Sign again"}
            </Button>
            <Button kind="quiet" onClick={() => setDoing("uploading")}>
              Upload a signed letter
            </Button>
          </>
        )}
      </div>
      {doing === "uploading" && <DocumentForm {...{ order, requirement, onDone: stop }} />}
      {doing === "signing" && <SignDialog order={order} onClose={stop} />}
    </ItemFrame>
  );
}

/** Signing by the typed name alone, or with a drawn signature that is printed in the letter. */
function SignDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const person = order.requirements.find(({ slug }) => slug === "auth_person_name");
  const [name, setName] = useState(person?.field_value ?? "");
  const [title, setTitle] = useState("");
  const [hasConsent, setHasConsent] = useState(false);
  const drawing = useRef<Drawing>(null);
  const sign = useOrderCommand();
  const toasts = useToasts();
  const onSubmit = (): void => {
    const image = drawing.current?.toPng() ?? null;
    const body = {
      signer_name: name,
      ...(title.trim() === "" ? {} : { signer_title: title }),
      ...(image === null ? {} : { signature_image: image }),
      consent: true,
    };
    const onDone = (): void => {
      toasts.done("The letter is signed");
    };
    const sent = { path: orderPath(order.id, "/loa/sign"), body };
    sign.run(sent, { onDone, whileShown: onClose });
  };
  return (
    <FormModal
      title="Sign the letter of authorization"
      description="It permits the losing carrier to release the numbers. It states the account holder, the address and every number of this order."
      verb="Sign"
      leave="Not now"
      isBusy={sign.isPending}
      isReady={hasConsent}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <a href={orderPath(order.id, "/loa")} target="_blank" rel="noreferrer">
        Read the letter
      </a>
      {sign.error !== null && <Failure error={sign.error} />}
      <TextField
        label="Your full name"
        hint="As the losing carrier knows it"
        autoComplete="name"
        required
        value={name}
        onChange={setName}
      />
      <TextField
        label="Your position"
        hint="Optional, such as Director"
        value={title}
        onChange={setTitle}
      />
      <SignaturePad
        ref={drawing}
        label="Draw your signature (optional: your typed name is enough)"
        clear="Clear"
      />
      <label className={styles["consent"]}>
        <input
          type="checkbox"
          required
          checked={hasConsent}
          onChange={(event) => setHasConsent(event.target.checked)}
        />
        I may act for the account holder, and I agree to sign electronically.
      </label>
    </FormModal>
  );
}
