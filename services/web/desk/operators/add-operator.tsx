import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { faultAt, otherFaults } from "../../ui/http/fault-at.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import type { Operator } from "./operators-page.tsx";
import { RoleSelect } from "./role-select.tsx";

/** A new operator, who has no access before a token is issued. */
export function AddOperator({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Operator["role"]>("reviewer");
  const add = useCommand<Operator>({ refreshes: ["operators"] });
  const onSubmit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    const command = { path: "/desk/v1/operators", body: { name, role } };
    add.mutate(command, {
      onSuccess: onClose,
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
