import {
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type PointerEvent,
  type Ref,
  type SubmitEvent,
} from "react";
import { isEditable } from "../../../../domain/order/rules/status-facts.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Modal, ModalActions } from "../../../ui/modal.tsx";
import { Failure } from "../../../ui/states.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import type { Order } from "../order-types.ts";
import { isOpen } from "../order-words.ts";
import { orderPath, useOrderCommand } from "../queries.ts";
import { DocumentForm } from "../requirements/document-form.tsx";
import { ItemFrame, type ItemProps } from "../requirements/requirement-item.tsx";
import styles from "./letter.module.css";

/** What was drawn. */
interface Drawing {
  /** A PNG in base64; null if nothing was drawn. */
  toPng(): string | null;
}

const SIZE = { width: 900, height: 300 };
const LINE_WIDTH = 5;
const DATA_URL_START = "data:image/png;base64,";

/** Draws with mouse, pen or finger. The typed name signs too, so that nobody has to be able to draw. */
function SignaturePad({ ref }: { readonly ref: Ref<Drawing> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hasInk, setHasInk] = useState(false);
  const label = useId();
  useImperativeHandle(ref, () => ({
    toPng: () =>
      hasInk ? (canvas.current?.toDataURL("image/png").slice(DATA_URL_START.length) ?? null) : null,
  }));
  const onDown = (event: PointerEvent<HTMLCanvasElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const context = contextOf(event.currentTarget);
    context?.beginPath();
    context?.moveTo(...placeOf(event));
  };
  const onMove = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const context = contextOf(event.currentTarget);
    context?.lineTo(...placeOf(event));
    context?.stroke();
    setHasInk(true);
  };
  const clear = (): void => {
    const element = canvas.current;
    if (element !== null) contextOf(element)?.clearRect(0, 0, SIZE.width, SIZE.height);
    setHasInk(false);
  };
  return (
    <div className={styles["pad"]}>
      <div className={styles["above"]}>
        <span id={label} className={styles["label"]}>
          Draw your signature (optional: your typed name is enough)
        </span>
        <Button kind="quiet" disabled={!hasInk} onClick={clear}>
          Clear
        </Button>
      </div>
      <canvas
        ref={canvas}
        {...SIZE}
        role="img"
        aria-labelledby={label}
        className={styles["canvas"]}
        onPointerDown={onDown}
        onPointerMove={onMove}
      />
    </div>
  );
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const context = canvas.getContext("2d");
  if (context !== null) Object.assign(context, { lineWidth: LINE_WIDTH, lineCap: "round" });
  return context;
}

/** Where the pointer is, in the canvas's own pixels. */
function placeOf(event: PointerEvent<HTMLCanvasElement>): [number, number] {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return [
    ((event.clientX - left) / width) * SIZE.width,
    ((event.clientY - top) / height) * SIZE.height,
  ];
}

/** The letter of authorization: read it, sign it here, or upload one that was signed elsewhere. */
export function LetterItem({ order, requirement, block }: ItemProps) {
  const [doing, setDoing] = useState<"nothing" | "signing" | "uploading">("nothing");
  const stop = (): void => setDoing("nothing");
  const isMissing = isOpen(requirement);
  const isSigned = requirement.field_value !== null;
  return (
    <ItemFrame requirement={requirement} block={block}>
      {isMissing && <p className={styles["note"]}>{requirement.description}</p>}
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

interface SignDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Signing by the typed name alone, or with a drawn signature that is printed in the letter. */
function SignDialog({ order, onClose }: SignDialogProps) {
  const person = order.requirements.find(({ slug }) => slug === "auth_person_name");
  const [name, setName] = useState(person?.field_value ?? "");
  const [title, setTitle] = useState("");
  const [hasConsent, setHasConsent] = useState(false);
  const drawing = useRef<Drawing>(null);
  const sign = useOrderCommand();
  const toasts = useToasts();
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
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
    <Modal
      title="Sign the letter of authorization"
      description="It permits the losing carrier to release the numbers. It states the account holder, the address and every number of this order."
      onClose={onClose}
    >
      <form className={styles["form"]} onSubmit={onSubmit}>
        <a href={orderPath(order.id, "/loa")} target="_blank" rel="noreferrer">
          Read the letter
        </a>
        {sign.error !== null && <Failure error={sign.error} />}
        <Field label="Your full name" hint="As the losing carrier knows it">
          {(control) => (
            <input
              {...control}
              autoComplete="name"
              required
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Your position" hint="Optional, such as Director">
          {(control) => (
            <input {...control} value={title} onChange={(event) => setTitle(event.target.value)} />
          )}
        </Field>
        <SignaturePad ref={drawing} />
        <label className={styles["consent"]}>
          <input
            type="checkbox"
            required
            checked={hasConsent}
            onChange={(event) => setHasConsent(event.target.checked)}
          />
          I may act for the account holder, and I agree to sign electronically.
        </label>
        <ModalActions>
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" kind="primary" isBusy={sign.isPending} disabled={!hasConsent}>
            Sign
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
