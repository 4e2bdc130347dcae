import { useQuery } from "@tanstack/react-query";
import {
  REJECT_CODE_TITLES,
  type RejectionCode,
} from "../../../services/domain/port-out/rules/rejection-codes.ts";
import { SelectField, TextArea } from "../field.tsx";
import { readOf } from "../http/read.ts";
import { faultAt } from "../http/request.ts";

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
  /** Where the port-out's own codes are; every code where there are several port-outs. */
  readonly codesAt?: string;
}

interface Codes {
  readonly data: readonly RejectionCode[];
}

/** The codes that a port-out allows, as `rejection_codes` has them. */
function useCodes(path: string | undefined): readonly (readonly [string, string])[] {
  const { data } = useQuery({
    ...readOf<Codes>("port-outs", path ?? ""),
    enabled: path !== undefined,
  });
  if (path === undefined) return Object.entries(REJECT_CODE_TITLES);
  return (data?.data ?? []).flatMap(({ code, title, allowed }): [string, string][] =>
    allowed ? [[code, title]] : [],
  );
}

/** Why a port-out is rejected, by code and in words. */
export function RejectFields(props: RejectFieldsProps) {
  const { code, setCode, reason, setReason, readBy, error = null, codesAt } = props;
  const codes = useCodes(codesAt);
  return (
    <>
      <SelectField
        label="Why"
        error={faultAt(error, "#/code")}
        required
        prompt="Choose"
        options={codes}
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
