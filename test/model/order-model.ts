import type { StatusUpdateKind } from "../../services/domain/order/rules/status-update.ts";
import { CustomerOrderModel, EXCEPTION, type ModelNumber } from "./customer-order-model.ts";
import { asksForCode } from "./model-codes.ts";

export interface ModelUpdate {
  readonly kind: StatusUpdateKind | null;
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
 * A second implementation of the transition table (docs/contract/customer-api.md, Transitions), written independently
 * of the code that it checks: one mutable order, one method for each thing that can happen to it. This class has the
 * carrier's status updates.
 */
export class OrderModel extends CustomerOrderModel {
  private get someActive(): boolean {
    return this.all.some((number) => number.status === "active");
  }

  applyUpdate(update: ModelUpdate): void {
    if (update.hasComment) this.comment("carrier");
    if (this.isOver) {
      this.applyAfterClose(update);
      return;
    }
    const isCurrent = update.version === this.version;
    if (!isCurrent && update.kind !== "number_active") return;
    if (isCurrent && update.raw !== null && update.at >= (this.statusAt ?? -Infinity)) {
      this.providerStatus = update.raw;
      this.statusAt = update.at;
    }
    this.attention = false;
    this.applyKind(update);
  }

  private applyAfterClose({ kind, numbers }: ModelUpdate): void {
    const named = Object.entries(this.numbers).filter(([one]) => numbers?.includes(one) ?? true);
    if (kind === "number_active" && named.some(([, number]) => number.status !== "active")) {
      this.attention = true;
    }
  }

  private applyKind(update: ModelUpdate): void {
    switch (update.kind) {
      case "acknowledged":
        if (this.cancel !== null && this.status === "cancel_pending") {
          this.cancel.noted ??= "in_process";
        } else if (this.status === "submitted") this.go("in_process");
        return;
      case "date_confirmed":
      case "date_moved":
        this.applyDate(update.foc ?? update.at, update.at);
        return;
      case "rejected":
        this.applyRejection(update);
        return;
      case "refused":
      case "cancel_confirmed":
        this.applyEnd(update.kind);
        return;
      case "cancel_refused":
        this.applyCancelRefused();
        return;
      case "activating":
      case "number_active":
      case "number_failed":
        this.applyToNumbers(update);
        return;
      case "change_refused":
      case "comment":
      case null:
        return;
    }
  }

  /** A date that was said before the one that is known is late. */
  private applyDate(date: number, at: number): void {
    if (at < (this.cancel?.dateAt ?? this.dateAt ?? -Infinity)) return;
    if (this.status === "cancel_pending" && this.cancel !== null) {
      this.cancel.noted = "foc_scheduled";
      this.cancel.date = date;
      this.cancel.dateAt = at;
      return;
    }
    if (!OPEN_AT_CARRIER.includes(this.status)) return;
    if (this.status === "foc_scheduled" && this.date === date) return;
    if (this.status === "submitted") this.go("in_process");
    this.date = date;
    this.dateAt = at;
    this.go("foc_scheduled");
  }

  private applyRejection(update: ModelUpdate): void {
    if (this.status === "cancel_pending") {
      this.comment("carrier");
      this.closeAtCarrier();
    } else if (this.status === "activating" && this.someActive) {
      this.comment("carrier");
      this.endOthers("failed", update.code ?? "other");
    } else if (OPEN_AT_CARRIER.includes(this.status) || this.status === "activating") {
      this.bringBack([update]);
    }
  }

  /** A carrier that refuses, or cancels unasked, states its reason in a comment. */
  private applyEnd(kind: "refused" | "cancel_confirmed"): void {
    if (this.version === 0) return;
    if (kind === "refused" || this.cancel === null) this.comment("carrier");
    if (this.status === "activating" && this.someActive) this.endOthers("cancelled", null);
    else this.closeAtCarrier();
  }

  private closeAtCarrier(): void {
    this.close(this.cancel?.by ?? "provider", this.cancel?.raisedBy ?? "carrier");
  }

  private endOthers(status: "failed" | "cancelled", code: string | null): void {
    for (const number of this.all) {
      if (number.status !== "activating") continue;
      number.status = status;
      number.code = code;
    }
    this.reasonBy = this.cancel?.raisedBy ?? "carrier";
    this.go("completed_partial");
    this.emitActivations();
  }

  private emitActivations(): void {
    for (const [phone, number] of Object.entries(this.numbers)) {
      if (number.status === "active") this.emitted.push(`activated ${phone}`);
    }
  }

  /** rejection: each reason is an exception, and the customer must rewrite the field that it names. */
  private bringBack(reasons: readonly { code: string | null; text: string | null }[]): void {
    this.exceptions = reasons.map(({ code }) => asksForCode(code, Object.keys(this.fields)));
    if (this.exceptions.some(({ slug }) => slug === null)) this.comment("carrier");
    for (const [n, { slug }] of this.exceptions.entries()) {
      const field = slug === null ? undefined : this.fields[slug];
      if (field === undefined) continue;
      const { text = null } = reasons[n] ?? {};
      field.status = EXCEPTION;
      field.reason = text === null || text === "" ? "the catalogue's" : text;
      this.emitted.push(`${slug ?? ""} ${EXCEPTION} ${field.reason}`);
    }
    for (const number of this.all) {
      number.status = "pending";
      number.code = null;
    }
    this.date = null;
    this.dateAt = null;
    this.cancel = null;
    this.go("rejection");
  }

  private applyCancelRefused(): void {
    if (this.status !== "cancel_pending" || this.cancel === null) return;
    const { from, noted, known, date, dateAt } = this.cancel;
    const early = from === "submitted" || from === "in_process";
    const to = early ? (noted ?? from) : from;
    this.date = to === "foc_scheduled" ? (date ?? known) : known;
    if (to === "foc_scheduled") this.dateAt = dateAt ?? this.dateAt;
    this.cancel = null;
    if (to === "rejection" || to === "in_review") this.forgetFailures();
    this.go(to);
  }

  /** Numbers that failed under a request that is being corrected go out again with the next. */
  private forgetFailures(): void {
    for (const number of this.all) {
      number.status = "pending";
      number.code = null;
    }
  }

  private applyToNumbers(update: ModelUpdate): void {
    const { kind } = update;
    const isLive = kind === "number_active";
    const isBack = this.status === "rejection" || this.status === "in_review";
    if (this.status === "cancel_pending") {
      if (kind === "number_failed") {
        this.setFailed(update);
        return;
      }
      this.startMove(update);
    } else if (isBack && isLive && this.version > 0) this.startMove(update);
    else if (OPEN_AT_CARRIER.includes(this.status)) {
      if (this.status === "submitted") this.go("in_process");
      if (this.status === "in_process") {
        this.date = update.foc ?? update.at;
        this.dateAt = update.at;
        this.go("foc_scheduled");
      }
      this.startMove(update);
    }
    if (this.status !== "activating") return;
    if (isLive) this.setActive(update);
    if (kind === "number_failed") this.setFailed(update);
    this.settle(update);
  }

  private startMove(update: ModelUpdate): void {
    this.date = this.cancel?.date ?? this.date ?? update.foc ?? update.at;
    for (const number of this.all) if (number.status === "pending") number.status = "activating";
    this.exceptions = [];
    this.go("activating");
  }

  private namedIn({ numbers }: ModelUpdate): ModelNumber[] {
    return Object.entries(this.numbers)
      .filter(([phone, { status }]) =>
        numbers === null
          ? status === "pending" || status === "activating"
          : numbers.includes(phone) && status !== "active" && status !== "cancelled",
      )
      .map(([, number]) => number);
  }

  private setActive(update: ModelUpdate): void {
    for (const number of this.namedIn(update)) {
      number.status = "active";
      number.code = null;
    }
  }

  private setFailed(update: ModelUpdate): void {
    for (const number of this.namedIn(update)) {
      if (number.status === "failed") continue;
      number.status = "failed";
      number.code = update.code ?? "other";
    }
  }

  private settle(update: ModelUpdate): void {
    if (this.all.some((number) => number.status === "activating")) return;
    if (!this.someActive) {
      const codes = [...new Set(this.all.map((number) => number.code))];
      const reported = update.code ?? "other";
      this.bringBack(codes.map((code) => ({ code, text: code === reported ? update.text : null })));
      return;
    }
    const isWhole = this.all.every((number) => number.status === "active");
    this.go(isWhole ? "completed" : "completed_partial");
    this.emitActivations();
  }
}
