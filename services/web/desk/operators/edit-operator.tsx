import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/use-command.ts";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import type { Operator } from "./operators-page.tsx";
import { RoleSelect } from "./role-select.tsx";
import styles from "./operators.module.css";

interface EditOperatorProps {
  readonly operator: Operator;
  readonly onClose: () => void;
}

/** An operator's name, role, access and tokens. */
export function EditOperator({ operator, onClose }: EditOperatorProps) {
  const [name, setName] = useState(operator.name);
  const [role, setRole] = useState(operator.role);
  const path = `/desk/v1/operators/${operator.id}`;
  const command = useCommand<{ readonly token?: string }>({ refreshes: ["operators"] });
  const [token, setToken] = useState<string | null>(null);
  const run = (sent: Parameters<typeof command.mutate>[0]): void => {
    command.mutate(sent, {
      onSuccess: (answer: { readonly token?: string } | null) => {
        if (answer?.token !== undefined) setToken(answer.token);
      },
    });
  };
  if (token !== null) {
    const secrets = [[`Token of ${operator.name}`, token]] as const;
    return <SecretDialog title="A new token" secrets={secrets} onClose={() => setToken(null)} />;
  }
  const { active, tokens } = operator;
  return (
    <Modal title={operator.name} placement="drawer" onClose={onClose}>
      <Field label="Name">
        {(control) => (
          <input
            {...control}
            maxLength={128}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <RoleSelect value={role} onChange={setRole} />
      {command.error !== null && <Failure error={command.error} />}
      <ModalActions>
        <Button
          kind={active ? "danger" : "plain"}
          onClick={() => run({ path, method: "PATCH", body: { active: !active } })}
        >
          {active ? "End access" : "Give access again"}
        </Button>
        <Button
          kind="primary"
          isBusy={command.isPending}
          disabled={name === operator.name && role === operator.role}
          onClick={() => run({ path, method: "PATCH", body: { name, role } })}
        >
          Save
        </Button>
      </ModalActions>
      <h3>Tokens</h3>
      <ul className={styles["tokens"]}>
        {tokens.map(({ id, prefix, created_at, revoked_at }) => (
          <li key={id}>
            <code>{prefix}…</code> issued <Time at={created_at} />
            {revoked_at === null ? (
              <Button
                kind="quiet"
                aria-label={`Revoke ${prefix}`}
                onClick={() => run({ path: `${path}/tokens/${id}`, method: "DELETE" })}
              >
                Revoke
              </Button>
            ) : (
              <span>
                revoked <Time at={revoked_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <Button disabled={!active} onClick={() => run({ path: `${path}/tokens` })}>
        Issue a token
      </Button>
    </Modal>
  );
}
