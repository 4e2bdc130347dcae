import { SelectField, TextArea } from "../field.tsx";
import { faultAt } from "../http/request.ts";
import { REJECT_CODE_NAMES } from "./port-out-words.ts";

export type DecisionKind = "approve" | "reject";

/** What the button says that decides. */
export const DECISION_VERBS = {
  approve: "Let the numbers go",
  reject: "Reject",
} as const satisfies Readonly<Record<DecisionKind, string>>;

/** What the service is sent with a decision on one port-out. */
export function decisionBody(
  kind: DecisionKind,
  code: string,
  reason: string,
): Readonly<Record<string, string>> {
  if (kind === "approve") return {};
  return { code, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) };
}

interface RejectFieldsProps {
  readonly code: string;
  readonly setCode: (code: string) => void;
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  /** Who is told the reason. */
  readonly readBy: string;
  /** What the service found wrong. */
  readonly error?: Error | null;
}

/** Why a port-out is rejected, by code and in words. */
export function RejectFields(props: RejectFieldsProps) {
  const { code, setCode, reason, setReason, readBy, error = null } = props;
  return (
    <>
      <SelectField
        label="Why"
        error={faultAt(error, "#/code")}
        required
        prompt="Choose"
        options={Object.entries(REJECT_CODE_NAMES)}
        value={code}
        onChange={setCode}
      />
      <TextArea
        label="In words (optional)"
        hint={readBy}
        error={faultAt(error, "#/reason")}
        rows={3}
        maxLength={1_000}
        value={reason}
        onChange={setReason}
      />
    </>
  );
}
