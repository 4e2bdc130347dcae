import { useQuery } from "@tanstack/react-query";
import { DOCUMENT_REASONS } from "../../../../domain/review/rules/document-reasons.ts";
import { Field } from "../../../ui/field.tsx";
import { reasonsQuery } from "../../reviews/queries.ts";
import type { RejectionReason } from "../../reviews/types.ts";
import type { UpdateFieldsProps } from "./update-fields.tsx";

const NO_CARRIERS: ReadonlySet<string> = new Set(DOCUMENT_REASONS);

/** The canonical codes, which every provider may give. */
function carrierReasons(reasons: readonly RejectionReason[]): readonly RejectionReason[] {
  return reasons.filter(({ code }) => !NO_CARRIERS.has(code));
}

interface RejectionFieldsProps extends UpdateFieldsProps {
  readonly need: "required" | "optional";
}

/** Why the carrier rejected: a code that the catalogue or its provider knows, and its own text. */
export function RejectionFields({ draft, provider, change, errorAt, need }: RejectionFieldsProps) {
  const { data: reasons } = useQuery(reasonsQuery());
  const codes = provider?.codes ?? [];
  const chosen = reasons?.data.find(({ code }) => code === draft.rawCode);
  return (
    <>
      <Field
        label={need === "required" ? "Reason" : "Reason (optional)"}
        {...(chosen !== undefined && { hint: chosen.text })}
        error={errorAt("#/rejection/raw_code") ?? errorAt("#/rejection")}
      >
        {(control) => (
          <select
            {...control}
            value={draft.rawCode}
            onChange={(event) => change({ rawCode: event.target.value })}
          >
            <option value="">{need === "required" ? "Choose a code" : "None was given"}</option>
            {codes.length > 0 && (
              <optgroup label={`Codes of ${provider?.name ?? "the provider"}`}>
                {codes.map(({ raw_code: raw, code }) => (
                  <option key={raw} value={raw}>
                    {raw} ({code})
                  </option>
                ))}
              </optgroup>
            )}
            <optgroup label="Catalogue">
              {carrierReasons(reasons?.data ?? []).map(({ code, title }) => (
                <option key={code} value={code}>
                  {title} ({code})
                </option>
              ))}
            </optgroup>
          </select>
        )}
      </Field>
      <Field
        label="Its own text (optional)"
        hint="The customer reads it as the reason."
        error={errorAt("#/rejection/raw_text")}
      >
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={2_000}
            value={draft.rawText}
            onChange={(event) => change({ rawText: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
