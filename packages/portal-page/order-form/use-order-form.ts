import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { once, Problem, unansweredOf, type Command } from "../../ui/http/request.ts";
import type { Order, Requirement } from "../orders/order-words.ts";
import { orderPath } from "../orders/orders.ts";
import { smallerPhoto } from "./smaller-photo.ts";
import { documentForm, uploadWith, type Progress } from "./upload.ts";
import { partOfFault } from "./address.ts";
import { changesOf, isOf, shownAddress, without, type Faults, type Typed } from "./changes.ts";
import { dateOf, documentFaults, type Files } from "./documents.ts";
import { valuesOf } from "./number-values.ts";
import { nameOf } from "./signing.ts";
import type { Fault } from "../languages/words.ts";
import { useTyped } from "./use-typed.ts";

/** What came of the last saving: what is wrong stands at its field, what failed is told beside the button. */
type Outcome = { readonly kind: "saved" | "wrong" } | { readonly kind: "failed"; fault: Fault };

export interface OrderForm {
  readonly order: Order;
  readonly typed: Typed;
  readonly files: Files;
  readonly faults: Faults;
  readonly isSaving: boolean;
  readonly outcome: Outcome | null;
  /** Counts savings after which something was wrong, so that the first of it is shown each time. */
  readonly wrongs: number;
  /** Of the document that is being sent. */
  readonly upload: (Progress & { readonly slug: string }) | null;
  readonly type: (name: string, text: string) => void;
  /** What was typed under names that begin so is not needed any more. */
  readonly forget: (slug: string) => void;
  readonly choose: (slug: string, file: File | null) => void;
  /** Sends everything that was typed or chosen; whether all of it is saved. */
  readonly save: () => Promise<boolean>;
  /** Shows what something else than saving found wrong. */
  readonly mark: (faults: Faults) => void;
  readonly fail: (error: unknown) => void;
}

/** What is typed and chosen on the page until it is saved, all of it by one command. */
export function useOrderForm(order: Order): OrderForm {
  const client = useQueryClient();
  const { typed, write, forget, takeOut } = useTyped(order.id);
  const [files, setFiles] = useState<Files>({});
  const [faults, setFaults] = useState<Faults>({});
  const [wrongs, setWrongs] = useState(0);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [upload, setUpload] = useState<OrderForm["upload"]>(null);
  const [isSaving, setIsSaving] = useState(false);
  const isRunning = useRef(false);

  const touch = (name: string): void => {
    setFaults((before) => withoutName(before, name));
    setOutcome(null);
  };
  const type = (name: string, text: string): void => {
    write(name, text);
    touch(name);
  };
  const choose = (slug: string, file: File | null): void => {
    setFiles((before) => (file === null ? without(before, slug) : { ...before, [slug]: file }));
    touch(slug);
  };
  const mark = (found: Faults): void => {
    setFaults(found);
    const isWrong = Object.keys(found).length > 0;
    setOutcome({ kind: isWrong ? "wrong" : "saved" });
    if (isWrong) setWrongs((count) => count + 1);
  };
  const fail = (error: unknown): void => setOutcome({ kind: "failed", fault: faultOf(error) });

  const onSent = (slug: string, answer: Requirement | null): void => {
    takeOut(slug, typed);
    setFiles((before) => (before[slug] === files[slug] ? without(before, slug) : before));
    client.setQueryData<Order>(["orders", orderPath(order.id)], (before) =>
      before === undefined ? before : rewritten(before, slug, answer),
    );
  };
  const save = async (): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setIsSaving(true);
    try {
      const found = await sendAll({ order, typed, files, onSent, onUpload: setUpload });
      mark(found);
      return Object.keys(found).length === 0;
    } catch (error) {
      fail(error);
      return false;
    } finally {
      isRunning.current = false;
      setIsSaving(false);
      setUpload(null);
      void client.invalidateQueries({ queryKey: ["orders"] });
    }
  };
  return {
    ...{ order, typed, files, faults, isSaving, outcome, wrongs, upload },
    ...{ type, forget, choose, save, mark, fail },
  };
}

/** The order with one requirement as it was saved; null where that was emptied. */
function rewritten(order: Order, slug: string, answer: Requirement | null): Order {
  const written = (one: Requirement): Requirement => answer ?? { ...one, field_value: null };
  const requirements = order.requirements.map((one) => (one.slug === slug ? written(one) : one));
  return { ...order, requirements };
}

interface Sending {
  readonly order: Order;
  readonly typed: Typed;
  readonly files: Files;
  readonly onSent: (slug: string, answer: Requirement | null) => void;
  readonly onUpload: (upload: OrderForm["upload"]) => void;
}

/** Sends what differs from what is saved, one field after the other; what is wrong with which. @throws what ends it */
async function sendAll(sending: Sending): Promise<Faults> {
  const { order, typed, files, onUpload } = sending;
  const { requirements, country_code: country } = order;
  const { changes, faults: early } = changesOf(requirements, typed, country);
  const chosen = await smallerOf(files);
  const unsent = documentFaults(requirements, chosen, typed);
  const found: Record<string, Fault> = { ...early, ...unsent };
  for (const { slug, value } of changes) {
    const body = typeof value === "string" ? { field_value: value } : { field_values: value };
    const how = value === null ? CLEAR : { ...SET, body };
    Object.assign(found, await send(sending, slug, how));
  }
  for (const requirement of requirements) {
    const { slug } = requirement;
    const file = chosen[slug];
    if (file === undefined) continue;
    if (Object.keys(unsent).some((name) => isOf(name, slug))) continue;
    const via = uploadWith((progress) => onUpload({ slug, ...progress }));
    onUpload({ slug, sent: 0, all: file.size });
    const body = documentForm(file, dateOf(typed, requirement));
    Object.assign(found, await send(sending, slug, { ...SET, body, via }));
  }
  return found;
}

/** The same files, as they are sent. */
async function smallerOf(files: Files): Promise<Files> {
  const smaller = Object.entries(files).map(async ([slug, file]) => {
    return [slug, await smallerPhoto(file)] as const;
  });
  return Object.fromEntries(await Promise.all(smaller));
}

const SET = { method: "PATCH" } as const;
const CLEAR = { method: "DELETE" } as const;

/** The part's own mark goes, and that of the whole that it is a part of. */
function withoutName(faults: Faults, name: string): Faults {
  const [slug = name] = name.split("/");
  return Object.fromEntries(Object.entries(faults).filter(([one]) => one !== name && one !== slug));
}

/** Sends one field; what is wrong with it. @throws what concerns more than this field */
async function send(
  { order, typed, onSent }: Sending,
  slug: string,
  how: Omit<Command, "path">,
): Promise<Faults> {
  const command = { path: orderPath(order.id, `/requirements/${slug}`), ...how };
  try {
    onSent(slug, await once<Requirement | null>(command, unansweredOf(command.path)));
    return {};
  } catch (error) {
    const requirement = order.requirements.find((one) => one.slug === slug);
    if (!(error instanceof Problem) || requirement === undefined || !isOfField(error)) throw error;
    if (valuesOf(requirement).length > 0) return faultsOfNumbers(error, requirement);
    const { code, detail } = faultOf(error);
    const name =
      requirement.field_type === "address"
        ? `${slug}/${partOfFault(code, shownAddress(requirement, typed))}`
        : nameOfFault(error, slug);
    return { [name]: { code, detail } };
  }
}

function isOfField({ status }: Problem): boolean {
  return status === 413 || status === 415 || status === 422;
}

/** Each at its number. */
function faultsOfNumbers({ faults, code, message }: Problem, requirement: Requirement): Faults {
  const given = faults.length === 0 ? [{ code, detail: message }] : faults;
  const found = given.map(({ pointer = "", ...fault }) => {
    const number = /^#\/field_values\/(.+)$/.exec(pointer)?.[1];
    const name = number === undefined ? nameOf(requirement) : `${requirement.slug}/${number}`;
    return [name, { code: fault.code, detail: fault.detail }] as const;
  });
  return Object.fromEntries(found);
}

function nameOfFault({ faults }: Problem, slug: string): string {
  return faults[0]?.pointer === "#/document_date" ? `${slug}/date` : slug;
}

/** What the service says first, which is what is wrong with the one value that it was sent. */
function faultOf(error: unknown): Fault {
  if (!(error instanceof Problem)) return { code: "internal", detail: String(error) };
  const { code, detail } = error.faults[0] ?? { code: error.code, detail: error.message };
  return { code, detail };
}
