import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Field } from "../../ui/field.tsx";
import { useCommand, type Command } from "../../ui/http/use-command.ts";
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

/** What is about to end: all access of an operator, or one token. */
type Ended =
  | { readonly what: "access" }
  | { readonly what: "token"; readonly id: string; readonly prefix: string };

/** An operator's name, role, access and tokens. */
export function EditOperator({ operator, onClose }: EditOperatorProps) {
  const [name, setName] = useState(operator.name);
  const [role, setRole] = useState(operator.role);
  const path = `/desk/v1/operators/${operator.id}`;
  const command = useCommand({ refreshes: ["operators"] });
  const issue = useCommand<{ readonly token: string }>({ refreshes: ["operators"] });
  const [ended, setEnded] = useState<Ended | null>(null);
  if (issue.data !== undefined) {
    const secrets = [[`Token of ${operator.name}`, issue.data.token]] as const;
    return <SecretDialog title="A new token" secrets={secrets} onClose={() => issue.reset()} />;
  }
  const change = (sent: Command): void => {
    issue.reset();
    command.run(sent);
  };
  const isBusy = command.isPending || issue.isPending;
  const error = command.error ?? issue.error;
  const { active, tokens } = operator;
  return (
    <Modal title={operator.name} placement="drawer" isHeld={issue.isPending} onClose={onClose}>
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
      {error !== null && <Failure error={error} />}
      <ModalActions>
        <Button
          kind={active ? "danger" : "plain"}
          isBusy={isBusy}
          onClick={() => {
            if (active) setEnded({ what: "access" });
            else change({ path, method: "PATCH", body: { active: true } });
          }}
        >
          {active ? "End access" : "Give access again"}
        </Button>
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={name === operator.name && role === operator.role}
          onClick={() => change({ path, method: "PATCH", body: { name, role } })}
        >
          Save
        </Button>
      </ModalActions>
      <Tokens
        tokens={tokens}
        onRevoke={({ id, prefix }) => setEnded({ what: "token", id, prefix })}
      />
      <Button
        disabled={!active}
        isBusy={isBusy}
        onClick={() => {
          command.reset();
          issue.run({ path: `${path}/tokens` });
        }}
      >
        Issue a token
      </Button>
      {ended !== null && (
        <ConfirmEnd
          ended={ended}
          name={operator.name}
          onClose={() => setEnded(null)}
          onConfirm={() => {
            setEnded(null);
            if (ended.what === "access") {
              change({ path, method: "PATCH", body: { active: false } });
            } else change({ path: `${path}/tokens/${ended.id}`, method: "DELETE" });
          }}
        />
      )}
    </Modal>
  );
}

type Token = Operator["tokens"][number];

interface TokensProps {
  readonly tokens: readonly Token[];
  readonly onRevoke: (token: Token) => void;
}

function Tokens({ tokens, onRevoke }: TokensProps) {
  return (
    <>
      <h3>Tokens</h3>
      <ul className={styles["tokens"]}>
        {tokens.map((token) => (
          <li key={token.id}>
            <code>{token.prefix}…</code> issued <Time at={token.created_at} />
            {token.revoked_at === null ? (
              <Button
                kind="quiet"
                aria-label={`Revoke ${token.prefix}`}
                onClick={() => onRevoke(token)}
              >
                Revoke
              </Button>
            ) : (
              <span>
                revoked <Time at={token.revoked_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface ConfirmEndProps {
  readonly ended: Ended;
  readonly name: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function ConfirmEnd({ ended, name, ...rest }: ConfirmEndProps) {
  const isAccess = ended.what === "access";
  return (
    <Confirm
      title={isAccess ? `End the access of ${name}?` : `Revoke ${ended.prefix}…?`}
      verb={isAccess ? "End access" : "Revoke"}
      isDangerous
      isBusy={false}
      error={null}
      {...rest}
    >
      <p>
        {isAccess
          ? "Every session ends at its next request, and no token works. Access can be given again."
          : "Sessions that were opened with this token end at their next request."}
      </p>
    </Confirm>
  );
}
