import { useRef, useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Modal, ModalActions } from "../../../ui/modal.tsx";
import { Failure } from "../../../ui/states.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import type { Order } from "../order-types.ts";
import { orderPath, useOrderCommand } from "../queries.ts";
import styles from "./letter.module.css";
import { SignaturePad, type Drawing } from "./signature-pad.tsx";

interface SignDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Signing by the typed name alone, or with a drawn signature that is printed in the letter. */
export function SignDialog({ order, onClose }: SignDialogProps) {
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
