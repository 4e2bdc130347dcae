import type { CarrierWordKind } from "../../services/domain/order/rules/status-update.ts";
import { AskedOrder, EXCEPTION, type ModelNumber } from "./asked-order.ts";
import { asksForCode } from "./model-codes.ts";

export interface ModelWord {
  readonly kind: CarrierWordKind | null;
  readonly raw: string | null;
  readonly version: number;
  readonly at: number;
  readonly foc: number | null;
  readonly numbers: readonly string[] | null;
  readonly code: string | null;
  readonly text: string | null;
  readonly hasComment: boolean;
}

const OPEN_AT_CARRIER = ["submitted", "in_process", "foc_scheduled"];

/**
 * A second, plain reading of the transition table (docs/contract/customer-api.md, Transitions), written without looking
 * at the code that it is held against: one mutable order, one method per thing that can happen to it. Here is what a carrier says of it.
 */
export class OrderModel extends AskedOrder {
  private get someActive(): boolean {
    return this.all.some((number) => number.status === "active");
  }

  hear(word: ModelWord): void {
    if (word.hasComment) this.comment("carrier");
    if (this.isOver) {
      this.hearAfterTheEnd(word);
      return;
    }
    const isCurrent = word.version === this.version;
    if (!isCurrent && word.kind !== "number_active") return;
    if (isCurrent && word.raw !== null && word.at >= (this.wordAt ?? -Infinity)) {
      this.providerStatus = word.raw;
      this.wordAt = word.at;
    }
    this.attention = false;
    this.obey(word);
  }

  private hearAfterTheEnd({ kind, numbers }: ModelWord): void {
    const named = Object.entries(this.numbers).filter(([one]) => numbers?.includes(one) ?? true);
    if (kind === "number_active" && named.some(([, number]) => number.status !== "active")) {
      this.attention = true;
    }
  }

  private obey(word: ModelWord): void {
    switch (word.kind) {
      case "acknowledged":
        if (this.cancel !== null && this.status === "cancel_pending") {
          this.cancel.noted ??= "in_process";
        } else if (this.status === "submitted") this.go("in_process");
        return;
      case "date_confirmed":
      case "date_moved":
        this.hearDate(word.foc ?? word.at);
        return;
      case "rejected":
        this.hearRejection(word);
        return;
      case "refused":
      case "cancel_confirmed":
        this.hearEnd();
        return;
      case "cancel_refused":
        this.hearCancelRefused();
        return;
      case "activating":
      case "number_active":
      case "number_failed":
        this.hearOfNumbers(word);
        return;
      case "comment":
      case null:
        return;
    }
  }

  private hearDate(date: number): void {
    if (this.status === "cancel_pending" && this.cancel !== null) {
      this.cancel.noted = "foc_scheduled";
      this.cancel.date = date;
      return;
    }
    if (!OPEN_AT_CARRIER.includes(this.status)) return;
    if (this.status === "foc_scheduled" && this.date === date) return;
    if (this.status === "submitted") this.go("in_process");
    this.date = date;
    this.go("foc_scheduled");
  }

  private hearRejection(word: ModelWord): void {
    if (this.status === "cancel_pending") this.close(this.cancel?.by ?? "");
    else if (this.status === "activating" && this.someActive) {
      this.endOthers("failed", word.code ?? "other");
    } else if (OPEN_AT_CARRIER.includes(this.status) || this.status === "activating") {
      this.bringBack([word]);
    }
  }

  private hearEnd(): void {
    if (this.status === "cancel_pending") this.close(this.cancel?.by ?? "");
    else if (this.status === "activating" && this.someActive) this.endOthers("cancelled", null);
    else if (this.version > 0) this.close(this.cancel?.by ?? "provider");
  }

  private endOthers(status: "failed" | "cancelled", code: string | null): void {
    for (const number of this.all) {
      if (number.status !== "activating") continue;
      number.status = status;
      number.code = code;
    }
    this.go("completed_partial");
    this.tellActivations();
  }

  private tellActivations(): void {
    for (const [phone, number] of Object.entries(this.numbers)) {
      if (number.status === "active") this.told.push(`activated ${phone}`);
    }
  }

  /** rejection: each reason an exception, and the field that it names is the customer's to rewrite. */
  private bringBack(reasons: readonly { code: string | null; text: string | null }[]): void {
    this.exceptions = reasons.map(({ code }) => asksForCode(code, Object.keys(this.fields)));
    for (const [n, { slug }] of this.exceptions.entries()) {
      const field = slug === null ? undefined : this.fields[slug];
      if (field === undefined) continue;
      const { text = null } = reasons[n] ?? {};
      field.status = EXCEPTION;
      field.reason = text === null || text === "" ? "the catalogue's" : text;
      this.told.push(`${slug ?? ""} ${EXCEPTION} ${field.reason}`);
    }
    for (const number of this.all) {
      number.status = "pending";
      number.code = null;
    }
    this.date = null;
    this.cancel = null;
    this.go("rejection");
  }

  private hearCancelRefused(): void {
    if (this.status !== "cancel_pending" || this.cancel === null) return;
    const { from, noted, known, date } = this.cancel;
    const early = from === "submitted" || from === "in_process";
    const to = early ? (noted ?? from) : from;
    this.date = to === "foc_scheduled" ? (date ?? known) : known;
    this.cancel = null;
    if (to === "rejection" || to === "in_review") this.forgetFailures();
    this.go(to);
  }

  /** What failed under a request that is being corrected goes out again with the next. */
  private forgetFailures(): void {
    for (const number of this.all) {
      number.status = "pending";
      number.code = null;
    }
  }

  private hearOfNumbers(word: ModelWord): void {
    const { kind } = word;
    const isLive = kind === "number_active";
    const isBack = this.status === "rejection" || this.status === "in_review";
    if (this.status === "cancel_pending") {
      if (kind === "number_failed") {
        this.setFailed(word);
        return;
      }
      this.startMove(word);
    } else if (isBack && isLive && this.version > 0) this.startMove(word);
    else if (OPEN_AT_CARRIER.includes(this.status)) {
      if (this.status === "submitted") this.go("in_process");
      if (this.status === "in_process") {
        this.date = word.foc ?? word.at;
        this.go("foc_scheduled");
      }
      this.startMove(word);
    }
    if (this.status !== "activating") return;
    if (isLive) this.setActive(word);
    if (kind === "number_failed") this.setFailed(word);
    this.settle(word);
  }

  private startMove(word: ModelWord): void {
    this.date = this.cancel?.date ?? this.date ?? word.foc ?? word.at;
    for (const number of this.all) if (number.status === "pending") number.status = "activating";
    this.go("activating");
  }

  private namedIn({ numbers }: ModelWord): ModelNumber[] {
    return Object.entries(this.numbers)
      .filter(([phone, { status }]) =>
        numbers === null
          ? status === "pending" || status === "activating"
          : numbers.includes(phone) && status !== "active" && status !== "cancelled",
      )
      .map(([, number]) => number);
  }

  private setActive(word: ModelWord): void {
    for (const number of this.namedIn(word)) {
      number.status = "active";
      number.code = null;
    }
  }

  private setFailed(word: ModelWord): void {
    for (const number of this.namedIn(word)) {
      if (number.status === "failed") continue;
      number.status = "failed";
      number.code = word.code ?? "other";
    }
  }

  private settle(word: ModelWord): void {
    if (this.all.some((number) => number.status === "activating")) return;
    if (!this.someActive) {
      const codes = [...new Set(this.all.map((number) => number.code))];
      const said = word.code ?? "other";
      this.bringBack(codes.map((code) => ({ code, text: code === said ? word.text : null })));
      return;
    }
    const isWhole = this.all.every((number) => number.status === "active");
    this.go(isWhole ? "completed" : "completed_partial");
    this.tellActivations();
  }
}
