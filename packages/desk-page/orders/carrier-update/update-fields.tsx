import { useId } from "react";
import { useQuery } from "@tanstack/react-query";
import { DOCUMENT_REASONS } from "../../../../services/domain/review/rules/document-reasons.ts";
import field from "../../../ui/field.module.css";
import { Field, optionsOf, SelectField, TextArea } from "../../../ui/field.tsx";
import { browserZone, namedToday, type ZonedTime } from "../../../ui/zoned-time.ts";
import type { Provider } from "../../carriers/carriers.ts";
import { reasonsQuery, type RejectionReason } from "../../reviews/reviews.ts";
import { NUMBER_WORDS, type Order } from "../orders.ts";
import { RequirementField } from "../exception-dialogs.tsx";
import styles from "./carrier-update.module.css";
import { UPDATE_KINDS, type UpdateDraft, type UpdateKind } from "./update-draft.ts";

interface UpdateFieldsProps {
  readonly draft: UpdateDraft;
  readonly order: Order;
  readonly provider: Provider | undefined;
  readonly change: (changes: Partial<UpdateDraft>) => void;
  /** What is wrong at the field with this JSON pointer. */
  readonly errorAt: (pointer: string) => string | null;
}

/** The fields that the chosen kind asks for. */
export function UpdateFields(props: UpdateFieldsProps) {
  const { draft, order, provider, change, errorAt } = props;
  if (draft.kind === null) return null;
  const facts: UpdateKind = UPDATE_KINDS[draft.kind];
  const own = provider?.business_hours.time_zone;
  const zones = [...(own === undefined ? [] : [own]), browserZone(), "UTC"];
  return (
    <>
      <StatusWord {...props} />
      {facts.needsDate === true && (
        <ZonedTimeField
          label="FOC date"
          hint="The date and time that the carrier named, in its own time zone."
          error={errorAt("#/foc_at")}
          value={draft.foc}
          zones={zones}
          onChange={(foc) => change({ foc })}
        />
      )}
      {facts.reason !== undefined && <RejectionFields {...props} need={facts.reason} />}
      {facts.picksNumbers === true && <NumberPicker {...props} />}
      <ZonedTimeField
        label="Happened at"
        hint="When the carrier says that it happened."
        error={errorAt("#/occurred_at")}
        value={draft.occurred}
        zones={zones}
        onChange={(occurred) => change({ occurred })}
      />
      {order.request_version > 1 && (
        <SelectField
          label="Which request it answers"
          error={errorAt("#/request_version")}
          options={Array.from({ length: order.request_version }, (_, n) => [
            n + 1,
            `Version ${n + 1}${n + 1 === order.request_version ? " (the current one)" : ""}`,
          ])}
          value={String(draft.version)}
          onChange={(version) => change({ version: Number(version) })}
        />
      )}
      <TextArea
        label={facts.needsComment === true ? "Its comment" : "Its comment (optional)"}
        hint="The customer receives it as the carrier’s comment."
        error={errorAt("#/comment")}
        rows={2}
        maxLength={4_000}
        value={draft.comment}
        onChange={(comment) => change({ comment })}
      />
    </>
  );
}

function StatusWord({ draft, provider, change, errorAt }: UpdateFieldsProps) {
  const id = useId();
  const words = provider?.statuses.filter(({ kind }) => kind === draft.kind) ?? [];
  return (
    <Field
      label="The carrier’s own word"
      hint="As it said or wrote it; it becomes the order’s provider status."
      error={errorAt("#/raw_status")}
    >
      {(control) => (
        <>
          <input
            {...control}
            list={id}
            maxLength={200}
            autoComplete="off"
            value={draft.rawStatus}
            onChange={(event) => change({ rawStatus: event.target.value })}
          />
          <datalist id={id}>
            {words.map(({ raw_status: word }) => (
              <option key={word} value={word} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** Which numbers the update is about: all that are not settled, or some. */
function NumberPicker({ draft, order, change, errorAt }: UpdateFieldsProps) {
  const id = useId();
  const error = errorAt("#/phone_numbers");
  const { numbers } = draft;
  if (order.numbers.length === 1) return null;
  const toggle = (number: string, isOn: boolean): void =>
    change({
      numbers: isOn
        ? [...(numbers ?? []), number]
        : (numbers ?? []).filter((one) => one !== number),
    });
  return (
    <fieldset className={styles["picker"]} aria-describedby={error === null ? undefined : id}>
      <legend>Numbers</legend>
      <label>
        <input type="radio" checked={numbers === null} onChange={() => change({ numbers: null })} />
        All that are not active, failed or cancelled
      </label>
      <label>
        <input
          type="radio"
          checked={numbers !== null}
          onChange={() => change({ numbers: numbers ?? [] })}
        />
        Only these
      </label>
      {numbers !== null && (
        <div className={styles["numbers"]}>
          {order.numbers.map(({ phone_number: number, status }) => (
            <label key={number}>
              <input
                type="checkbox"
                checked={numbers.includes(number)}
                onChange={(event) => toggle(number, event.target.checked)}
              />
              {number}
              <span>{NUMBER_WORDS[status].name.toLowerCase()}</span>
            </label>
          ))}
        </div>
      )}
      {error !== null && (
        <p id={id} className={styles["error"]}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

const NO_CARRIERS: ReadonlySet<string> = new Set(DOCUMENT_REASONS);

/** The canonical codes, which every provider may give. */
function carrierReasons(reasons: readonly RejectionReason[]): readonly RejectionReason[] {
  return reasons.filter(({ code }) => !NO_CARRIERS.has(code));
}

interface RejectionFieldsProps extends UpdateFieldsProps {
  readonly need: "required" | "optional";
}

/** Why the carrier rejected: a code that the catalogue or its provider knows, and its own text. */
function RejectionFields({ draft, order, need, ...props }: RejectionFieldsProps) {
  const { provider, change, errorAt } = props;
  const { data: reasons } = useQuery(reasonsQuery());
  const codes = provider?.codes ?? [];
  const chosen = reasons?.data.find(({ code }) => code === draft.rawCode);
  return (
    <>
      <SelectField
        label={need === "required" ? "Reason" : "Reason (optional)"}
        hint={chosen?.text}
        error={errorAt("#/rejection/raw_code") ?? errorAt("#/rejection")}
        options={[["", need === "required" ? "Choose a code" : "None was given"]]}
        value={draft.rawCode}
        onChange={(rawCode) => change({ rawCode })}
      >
        {codes.length > 0 && (
          <optgroup label={`Codes of ${provider?.name ?? "the provider"}`}>
            {optionsOf(codes.map(({ raw_code: raw, code }) => [raw, `${raw} (${code})`]))}
          </optgroup>
        )}
        <optgroup label="Catalogue">
          {optionsOf(
            carrierReasons(reasons?.data ?? []).map(({ code, title }) => [
              code,
              `${title} (${code})`,
            ]),
          )}
        </optgroup>
      </SelectField>
      <RequirementField
        order={order}
        error={errorAt("#/rejection/slug")}
        none="That of the reason"
        value={draft.slug}
        onChange={(slug) => change({ slug })}
      />
      <TextArea
        label="Its own text (optional)"
        hint="The customer reads it as the reason."
        error={errorAt("#/rejection/raw_text")}
        rows={2}
        maxLength={2_000}
        value={draft.rawText}
        onChange={(rawText) => change({ rawText })}
      />
    </>
  );
}

interface ZonedTimeFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error: string | null;
  readonly value: ZonedTime;
  /** The likely zones, the likeliest first; the others stand below them. */
  readonly zones: readonly string[];
  readonly onChange: (value: ZonedTime) => void;
}

const ALL_ZONES = namedToday(Intl.supportedValuesOf("timeZone"));

/** A date and a time in a zone that is named: carriers speak in their own. */
function ZonedTimeField({ label, hint, error, value, ...rest }: ZonedTimeFieldProps) {
  const { zones, onChange } = rest;
  const id = useId();
  const likely = [...new Set([...zones, value.zone])];
  const notes = [hint === undefined ? "" : `${id}-hint`, error === null ? "" : `${id}-error`];
  const shared = {
    className: field["control"],
    "aria-describedby": notes.join(" ").trim() || undefined,
    "aria-invalid": error !== null || undefined,
  };
  return (
    <fieldset className={styles["fieldset"]}>
      <legend className={field["label"]}>{label}</legend>
      <div className={styles["controls"]}>
        <input
          {...shared}
          type="date"
          aria-label={`${label}: date`}
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.target.value })}
        />
        <input
          {...shared}
          type="time"
          aria-label={`${label}: time`}
          value={value.time}
          onChange={(event) => onChange({ ...value, time: event.target.value })}
        />
        <select
          {...shared}
          aria-label={`${label}: time zone`}
          value={value.zone}
          onChange={(event) => onChange({ ...value, zone: event.target.value })}
        >
          {likely.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
          <optgroup label="All time zones">
            {ALL_ZONES.filter((zone) => !likely.includes(zone)).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </optgroup>
        </select>
      </div>
      {hint !== undefined && (
        <p className={field["hint"]} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p className={field["error"]} id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
