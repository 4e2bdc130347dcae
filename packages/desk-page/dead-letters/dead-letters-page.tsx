import { useState } from "react";
import { Link } from "wouter";
import type { z } from "zod";
import { useQuery } from "@tanstack/react-query";
import type { deadLetterAnswer } from "../../../services/desk/dead-letters/answers.ts";
import type { StaticTopicName } from "../../../services/messages/topics.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { BulkBar, useBulk } from "../../ui/bulk.tsx";
import { Button } from "../../ui/button.tsx";
import { CopiedId } from "../../ui/copy.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useCountedList, useRead } from "../../ui/http/read.ts";
import { request } from "../../ui/http/request.ts";
import {
  ChoiceFilter,
  Filters,
  ListSummary,
  ListView,
  useUrlFilters,
  useUrlValue,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { counted } from "../../ui/list-rules.ts";
import { Confirm, Modal, ModalActions } from "../../ui/modal.tsx";
import type { Options } from "../../ui/field.tsx";
import { Facts, JsonView, Page, TextView } from "../../ui/page.tsx";
import { useSelection } from "../../ui/selection.tsx";
import { DataView, Empty, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { AccountFilter } from "../accounts/account-filter.tsx";
import { shortId } from "../reviews/reviews.ts";
import { useMay } from "../session.ts";
import { SavedViews } from "../views/saved-views.tsx";
import { bytesOf, ERROR_CODES, hexOf, meaningOf, textOf } from "./letter-content.ts";

type Act = "replay" | "discard";

interface Settled {
  readonly matched: number;
  readonly done: number;
}

interface BulkDialogProps {
  readonly act: Act;
  readonly filter: Readonly<Record<string, string>>;
  readonly onClose: () => void;
}

const WORDS = {
  replay: { verb: "Replay", done: "replayed", effect: "Each is published to its topic again." },
  discard: { verb: "Discard", done: "discarded", effect: "They will never be handled." },
} as const;

/** Counts what matches by a dry run before it asks. */
function BulkDialog({ act, filter: filters, onClose }: BulkDialogProps) {
  // Only parked ones can be settled, whatever states the list shows.
  const given = Object.entries(filters).filter(([name, value]) => name !== "state" && value !== "");
  const filter = Object.fromEntries(given);
  const path = `/desk/v1/dead_letters/${act}`;
  const { verb, done, effect } = WORDS[act];
  const dryRun = useQuery({
    queryKey: ["dead-letters", path, filter],
    queryFn: () => request<Settled>("POST", path, { body: { filter, dry_run: true } }),
    gcTime: 0,
  });
  const command = useCommand<Settled>({ refreshes: ["dead-letters"] });
  const toasts = useToasts();
  const matched = dryRun.data?.matched ?? 0;
  const onDone = (settled: Settled): void => {
    const left = settled.matched - settled.done;
    toasts.done(`${settled.done} ${done}`, left > 0 ? `${left} are left; repeat it.` : "");
  };
  return (
    <Confirm
      title={`${verb} all that match?`}
      verb={`${verb} ${matched.toLocaleString()}`}
      isDangerous={act === "discard"}
      isReady={matched > 0}
      isBusy={command.isPending}
      error={command.error}
      onConfirm={() => command.run({ path, body: { filter } }, { onDone, whileShown: onClose })}
      onClose={onClose}
    >
      <p>
        {given.length === 0
          ? "No filter is set: this means every parked message."
          : `Parked messages with ${given.map(([name, value]) => `${name} ${value}`).join(", ")}.`}
      </p>
      <DataView query={dryRun}>
        {() => (
          <p>
            <strong>{matched.toLocaleString()}</strong> match. {effect}
          </p>
        )}
      </DataView>
    </Confirm>
  );
}

export type DeadLetter = z.output<typeof deadLetterAnswer>;

const FILTERS = ["state", "topic", "error_code", "consumer", "key", "account_id"] as const;
const TONES: Readonly<Record<DeadLetter["state"], Tone>> = {
  parked: "warning",
  // Published again, which is not yet handled: what fails again is a dead letter of its own.
  replayed: "info",
  discarded: "neutral",
};

export function LetterState({ state }: Pick<DeadLetter, "state">) {
  return <Badge tone={TONES[state]}>{state}</Badge>;
}

/** Messages that a service could not handle: what they say, and what is to be done with them. */
export default function DeadLettersPage() {
  const url = useUrlFilters(FILTERS);
  const { filters, of, isFiltered } = url;
  const query = { ...filters, ...url.page };
  const list = useCountedList<DeadLetter>("dead-letters", "/desk/v1/dead_letters", query);
  const [openId, setOpenId] = useUrlValue("open");
  const [act, setAct] = useState<Act | null>(null);
  const { selecting, bar } = useBulkLetters(list.page.data?.data ?? []);
  const mayAct = useMay("lead");
  return (
    <Page
      title="Dead letters"
      actions={
        mayAct && (
          <>
            <Button onClick={() => setAct("replay")}>Replay all that match</Button>
            <Button onClick={() => setAct("discard")}>Discard all that match</Button>
          </>
        )
      }
    >
      <SavedViews screen="dead-letters" />
      <Filters label="Filter dead letters" url={url}>
        <ChoiceFilter
          label="State"
          any="Any"
          options={Object.keys(TONES).map((state) => [state, state])}
          {...of("state")}
        />
        <ChoiceFilter
          label="Error code"
          any="Any"
          options={withChosen(ERROR_CODES, filters.error_code)}
          {...of("error_code")}
        />
        <ChoiceFilter
          label="Topic"
          any="Any"
          options={withChosen(TOPICS, filters.topic)}
          {...of("topic")}
        />
        <AccountFilter {...of("account_id")} />
        <WholeFilter label="Consumer" {...of("consumer")} />
        <WholeFilter label="Key" {...of("key")} />
      </Filters>
      <ListView
        query={list.page}
        summary={
          <ListSummary list={list} one="dead letter">
            {bar}
          </ListSummary>
        }
        selecting={selecting}
        sorting={url.sorting}
        caption="Dead letters"
        columns={columnsFor(setOpenId)}
        keyOf={({ id }) => id}
        empty={
          <Empty title={isFiltered ? "No dead letter matches" : "No dead letters"}>
            {isFiltered
              ? "Change the filters, or clear them. Topic, code, consumer and key must be whole."
              : "Every message has been handled."}
          </Empty>
        }
      />
      {openId !== "" && <LetterDialog id={openId} onClose={() => setOpenId("")} />}
      {act !== null && <BulkDialog act={act} filter={filters} onClose={() => setAct(null)} />}
    </Page>
  );
}

/** The selected dead letters, and what a lead does with all of them. */
function useBulkLetters(rows: readonly DeadLetter[]) {
  const selection = useSelection(rows.map(({ id }) => id));
  const [isAsking, setIsAsking] = useState(false);
  const mayAct = useMay("lead");
  const nameOf = ({ topic, partition, offset }: DeadLetter) => `${topic} ${partition}/${offset}`;
  const bulk = useBulk({
    selection,
    one: "dead letter",
    nameOf: (id) => {
      const letter = rows.find((one) => one.id === id);
      return letter === undefined ? id : nameOf(letter);
    },
    refreshes: ["dead-letters"],
  });
  const run = (act: Act): void => {
    const { verb, done } = WORDS[act];
    const commandFor = (id: string) => ({ path: `/desk/v1/dead_letters/${id}/${act}` });
    bulk.start({ verb, done, commandFor });
  };
  const count = counted(selection.selected.length, "dead letter");
  return {
    selecting: mayAct ? { selection, nameOf } : undefined,
    bar: (
      <>
        <BulkBar selection={selection}>
          <Button onClick={() => run("replay")}>Replay</Button>
          <Button onClick={() => setIsAsking(true)}>Discard</Button>
        </BulkBar>
        {isAsking && (
          <Confirm
            title={`Discard ${count}?`}
            verb={`Discard ${count}`}
            isDangerous
            onClose={() => setIsAsking(false)}
            onConfirm={() => {
              setIsAsking(false);
              run("discard");
            }}
          >
            <p>They will never be handled.</p>
          </Confirm>
        )}
        {bulk.dialog}
      </>
    ),
  };
}

/** What carriers and our own services publish, and consumers read. */
const TOPICS: readonly StaticTopicName[] = [
  "carriers.updates",
  "carriers.port-outs",
  "carriers.calls",
  "carriers.requests",
  "carriers.receipts",
  "porting.review-requests",
  "porting.review-results",
  "porting.carrier-requests",
  "porting.carrier-results",
  "porting.events",
  "porting.webhook-attempts",
];

/** A link may name a value that the menu lacks. */
function withChosen(values: readonly string[], chosen: string): Options {
  const all = chosen === "" || values.includes(chosen) ? values : [...values, chosen];
  return all.map((value) => [value, value]);
}

function columnsFor(open: (id: string) => void): readonly Column<DeadLetter>[] {
  return [
    { title: "When", cell: ({ created_at }) => <Time at={created_at} />, sort: "created_at" },
    { title: "State", cell: ({ state }) => <LetterState state={state} /> },
    {
      title: "Topic",
      cell: ({ topic, partition, offset }) => (
        <>
          <code>{topic}</code> {partition}/{offset}
        </>
      ),
      copies: ["the dead letter’s id", ({ id }) => id],
    },
    { title: "Consumer", cell: ({ consumer }) => consumer, isMinor: true },
    {
      title: "Why",
      cell: ({ error_code, error_detail }) => (
        <>
          <code>{error_code}</code> {error_detail}
        </>
      ),
    },
    {
      title: "",
      cell: ({ id, error_code }) => (
        <Button kind="quiet" aria-label={`Open ${error_code} ${id}`} onClick={() => open(id)}>
          Open
        </Button>
      ),
      align: "right",
    },
  ];
}

/** One dead letter, with its value decoded. */
export function LetterDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const path = `/desk/v1/dead_letters/${id}`;
  const letter = useRead<DeadLetter>("dead-letters", path);
  return (
    <Modal title="Dead letter" placement="drawer" onClose={onClose}>
      <DataView query={letter}>{(found) => <Letter letter={found} path={path} />}</DataView>
    </Modal>
  );
}

function OrderOf({ id }: { readonly id: string | null }) {
  if (id === null) return "none is named";
  return (
    <>
      <Link href={`/orders/${id}`}>{shortId(id)}</Link>,{" "}
      <Link href={`/orders/${id}/messages`}>its trace</Link>
    </>
  );
}

/** A decoded value; of one that could not be decoded the bytes, as text and as hex. */
function Value({ value }: Pick<DeadLetter, "value">) {
  const bytes = bytesOf(value);
  if (bytes === null) return <JsonView label="The message's value" value={value} />;
  return (
    <>
      <h3>As text</h3>
      <TextView label="The message's value" text={textOf(bytes)} />
      <h3>As hex, {counted(bytes.length, "byte")}</h3>
      <TextView label="The message's bytes" text={hexOf(bytes)} isInColumns />
    </>
  );
}

function Letter({ letter, path }: { readonly letter: DeadLetter; readonly path: string }) {
  const mayAct = useMay("lead");
  const command = useCommand({ refreshes: ["dead-letters"] });
  const toasts = useToasts();
  const [isAsking, setIsAsking] = useState(false);
  const { means, todo } = meaningOf(letter.error_code);
  const run = (act: "replay" | "discard", done: string): void => {
    command.run({ path: `${path}/${act}` }, { onDone: () => toasts.done(done) });
  };
  return (
    <>
      <Facts
        facts={[
          ["State", <LetterState key="state" state={letter.state} />],
          ["When", <Time key="when" at={letter.created_at} />],
          ["Topic", `${letter.topic}, partition ${letter.partition}, offset ${letter.offset}`],
          ["Consumer", letter.consumer],
          ["Key", letter.key === null ? "–" : <CopiedId value={letter.key} what="the key" />],
          ["Order", <OrderOf key="order" id={letter.porting_order_id} />],
          ["Error", letter.error_code],
        ]}
      />
      <p>{letter.error_detail}</p>
      <p>
        {means} <strong>{todo}</strong>
      </p>
      <Value value={letter.value} />
      {Object.keys(letter.headers).length > 0 && (
        <details>
          <summary>Headers</summary>
          <Facts facts={Object.entries(letter.headers)} />
        </details>
      )}
      {command.error !== null && <Failure error={command.error} />}
      {mayAct && letter.state === "parked" && (
        <ModalActions>
          <Button isBusy={command.isPending} onClick={() => setIsAsking(true)}>
            Discard
          </Button>
          <Button
            kind="primary"
            isBusy={command.isPending}
            onClick={() => run("replay", "The message is replayed")}
          >
            Replay
          </Button>
        </ModalActions>
      )}
      {isAsking && (
        <Confirm
          title="Discard this message?"
          verb="Discard it"
          isDangerous
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false);
            run("discard", "The message is discarded");
          }}
        >
          <p>It will never be handled.</p>
        </Confirm>
      )}
    </>
  );
}
