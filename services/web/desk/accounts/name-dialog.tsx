import { useState, type SubmitEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Modal, ModalActions } from "../../ui/modal.tsx";

interface NameDialogProps {
  readonly title: string;
  readonly hint: string;
  /** The verb of the button: `Rename`. */
  readonly verb: string;
  readonly longest: number;
  readonly isOptional?: boolean;
  readonly before?: string;
  /** Nothing closes it while it is under way, because its answer is shown once. */
  readonly isHeld?: boolean;
  readonly command: { readonly isPending: boolean; readonly error: Error | null };
  /** With the name as it was typed. */
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of an account or a key. */
export function NameDialog(props: NameDialogProps) {
  const { title, hint, verb, longest, isOptional = false, before = "" } = props;
  const { isHeld = false, command, onName, onClose } = props;
  const [name, setName] = useState(before);
  const isLocked = isHeld && command.isPending;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    onName(name);
  };
  return (
    <Modal title={title} isHeld={isLocked} onClose={onClose}>
      <form id="name" onSubmit={onSubmit}>
        <Field label="Name" hint={hint} error={command.error?.message ?? null}>
          {(control) => (
            <input
              {...control}
              required={!isOptional}
              maxLength={longest}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </form>
      <ModalActions>
        <Button onClick={onClose} disabled={isLocked}>
          Cancel
        </Button>
        <Button
          type="submit"
          form="name"
          kind="primary"
          isBusy={command.isPending}
          disabled={before !== "" && name.trim() === before}
        >
          {verb}
        </Button>
      </ModalActions>
    </Modal>
  );
}
