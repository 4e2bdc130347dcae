import { useState } from "react";
import type { z } from "zod";
import type { operatorAnswer } from "../../../services/desk/operators/answers.ts";
import type { OperatorRole } from "../../../services/domain/account/rules/operator-role.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { useCommand, type Command } from "../../ui/http/command.ts";
import { useList } from "../../ui/http/read.ts";
import { faultAt, otherFaults, withQuery } from "../../ui/http/request.ts";
import { ListView, useUrlFilters, type Column } from "../../ui/list.tsx";
import { Confirm, FormModal, Modal, ModalActions, SecretDialog } from "../../ui/modal.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useAdding } from "../adding.ts";
import { useMay } from "../session.ts";
import styles from "./operators.module.css";

export type Operator = z.output<typeof operatorAnswer>;

/** Who works at the desk, and by which tokens; for admins. */
export default function OperatorsPage() {
  return useMay("admin") ? (
    <Operators />
  ) : (
    <Empty title="For admins only">Ask an admin to change who works at the desk.</Empty>
  );
}

function Operators() {
  const { after, clear: toFirstPage } = useUrlFilters([]);
  const query = { starting_after: after, limit: 50 };
  const list = useList<Operator>("operators", withQuery("/desk/v1/operators", query));
  const [isAdding, setIsAdding] = useAdding();
  const [editedId, setEditedId] = useState<string | null>(null);
  const edited = list.data?.data.find(({ id }) => id === editedId);
  const columns: readonly Column<Operator>[] = [
    { title: "Name", cell: ({ name }) => name },
    { title: "Role", cell: ({ role }) => role },
    {
      title: "Access",
      cell: ({ active }) =>
        active ? <Badge tone="good">active</Badge> : <Badge tone="neutral">inactive</Badge>,
    },
    {
      title: "Tokens",
      cell: ({ tokens }) => tokens.filter(({ revoked_at }) => revoked_at === null).length,
      align: "right",
      isMinor: true,
    },
    { title: "Since", cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
    {
      title: "",
      cell: ({ id, name }) => (
        <Button kind="quiet" aria-label={`Change ${name}`} onClick={() => setEditedId(id)}>
          Change
        </Button>
      ),
      align: "right",
    },
  ];
  return (
    <Page
      title="Operators"
      actions={
        <Button kind="primary" onClick={() => setIsAdding(true)}>
          Add an operator
        </Button>
      }
    >
      <ListView query={list} caption="Operators" columns={columns} keyOf={({ id }) => id} />
      {isAdding && (
        <AddOperator
          onAdded={({ id }) => {
            setIsAdding(false);
            // Where the newest are.
            toFirstPage();
            setEditedId(id);
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
      {edited !== undefined && <EditOperator operator={edited} onClose={() => setEditedId(null)} />}
    </Page>
  );
}

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
  const onSubmit = (): void => {
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
    <FormModal
      title="Add an operator"
      description="The operator has access once you issue a token."
      verb="Add"
      isBusy={add.isPending}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="The person's own, as colleagues and the audit log show it"
        error={faultAt(add.error, "#/name") ?? otherFaults(add.error, ["#/name"])}
        required
        maxLength={128}
        value={name}
        onChange={setName}
      />
      <RoleSelect value={role} onChange={setRole} />
    </FormModal>
  );
}

/** What is about to end: all access of an operator, or one token. */
type Ended =
  | { readonly what: "access" }
  | { readonly what: "token"; readonly id: string; readonly prefix: string };

/** An operator's name, role, access and tokens. */
export function EditOperator({ operator, onClose }: { operator: Operator; onClose: () => void }) {
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
      <TextField label="Name" maxLength={128} value={name} onChange={setName} />
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

const MEANINGS: Readonly<Record<OperatorRole, string>> = {
  viewer: "Viewer: reads; sensitive values are masked",
  reviewer: "Reviewer: also claims, decides, comments, enters carrier updates",
  lead: "Lead: also takes over, assigns, closes orders, decides port-outs, handles dead letters",
  admin: "Admin: also accounts, keys and operators",
};

interface RoleSelectProps {
  readonly value: OperatorRole;
  readonly onChange: (role: OperatorRole) => void;
}

export function RoleSelect({ value, onChange }: RoleSelectProps) {
  return (
    <SelectField
      label="Role"
      options={Object.entries(MEANINGS)}
      value={value}
      onChange={(role) => onChange(role as OperatorRole)}
    />
  );
}
