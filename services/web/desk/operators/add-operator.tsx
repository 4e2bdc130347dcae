import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { faultAt, otherFaults } from "../../ui/http/fault-at.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import type { Operator } from "./operators-page.tsx";
import { RoleSelect } from "./role-select.tsx";

interface AddOperatorProps {
  /** The operator's page is next, where a token is issued. */
  readonly onAdded: (operator: Operator) => void;
  readonly onClose: () => void;
}

/** A new operator, who has no access before a token is issued. */
export function AddOperator({ onAdded, onClose }: AddOperatorProps) {
  const toasts = useToasts();
  const [name, setName] = useState("");
  const [role, setRole] = useState<Operator["role"]>("reviewer");
  const add = useCommand<Operator>({ refreshes: ["operators"] });
  const onSubmit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    const command = { path: "/desk/v1/operators", body: { name, role } };
    add.run(command, {
      onDone: (operator) => {
        toasts.done(
          `${operator.name} is added`,
          "Issue a token now: without one there is no access.",
        );
      },
      whileShown: onAdded,
    });
  };
  return (
    <Modal
      title="Add an operator"
      description="The operator has access once you issue a token."
      onClose={onClose}
    >
      <form id="add-operator" onSubmit={onSubmit}>
        <Field
          label="Name"
          hint="The person's own, as colleagues and the audit log show it"
          error={faultAt(add.error, "#/name") ?? otherFaults(add.error, ["#/name"])}
        >
          {(control) => (
            <input
              {...control}
              required
              maxLength={128}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <RoleSelect value={role} onChange={setRole} />
      </form>
      <ModalActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" form="add-operator" kind="primary" isBusy={add.isPending}>
          Add
        </Button>
      </ModalActions>
    </Modal>
  );
}
