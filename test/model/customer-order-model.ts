import { blockersOf, type ModelField, type ModelVerdict } from "./model-fields.ts";

export interface ModelNumber {
  status: "pending" | "activating" | "active" | "failed" | "cancelled";
  code: string | null;
}

interface ModelCancel {
  readonly by: "customer" | "ops";
  readonly raisedBy: string;
  readonly from: string;
  readonly known: number | null;
  noted: string | null;
  date: number | null;
  dateAt: number | null;
}

const OVER = ["completed", "completed_partial", "cancelled"];
export const EXCEPTION = "requirement-info-exception";

/** The model's order with the acts of its customer and the desk: each method returns a refusal or null. */
export class CustomerOrderModel {
  status = "draft";
  version = 0;
  attempt = 0;
  caseOpen = false;
  date: number | null = null;
  /** When the date was said. */
  dateAt: number | null = null;
  closedBy: string | null = null;
  /** Who raised the reason for which the order ended. */
  reasonBy: string | null = null;
  cancel: ModelCancel | null = null;
  numbers: Record<string, ModelNumber> = {};
  fields: Record<string, ModelField> = {};
  exceptions: { code: string | null; slug: string | null }[] = [];
  providerStatus = "";
  statusAt: number | null = null;
  attention = false;
  deleted = false;
  /** The events that the latest step must emit, in order. */
  emitted: string[] = [];

  get isOver(): boolean {
    return OVER.includes(this.status);
  }

  get isCustomers(): boolean {
    return this.status === "draft" || this.status === "rejection";
  }

  protected get all(): ModelNumber[] {
    return Object.values(this.numbers);
  }

  protected go(to: string): void {
    this.emitted.push(`${this.status} > ${to}`);
    if (this.status === "in_review") this.caseOpen = false;
    if (to === "in_review") {
      this.caseOpen = true;
      this.attempt += 1;
    }
    this.status = to;
  }

  submit(now: number): string | null {
    if (!this.isCustomers) return "invalid_state";
    if (blockersOf(this, now).length > 0) return "not_ready";
    for (const field of Object.values(this.fields)) {
      if (field.status === "requirement-info-pending" && field.hasValue) {
        field.status = "requirement-info-under-review";
      }
    }
    this.exceptions = [];
    this.go("in_review");
    return null;
  }

  remove(by: "customer" | "expiry"): string | null {
    if (this.status !== "draft") return "invalid_state";
    this.deleted = true;
    this.reasonBy = by === "expiry" ? "system" : by;
    this.emitted.push("porting_order.deleted");
    return null;
  }

  /** A PATCH of the order; `removed` are numbers to take out. */
  patch(reworks: boolean, removed: readonly string[]): string | null {
    if (this.isOver) return "invalid_state";
    if (reworks && !this.isCustomers) return "invalid_state";
    const own = removed.every((number) => number in this.numbers);
    const left = Object.keys(this.numbers).filter((number) => !removed.includes(number));
    if (!own || new Set(removed).size < removed.length || left.length === 0) {
      return "validation_failed";
    }
    this.numbers = Object.fromEntries(
      Object.entries(this.numbers).filter(([number]) => left.includes(number)),
    );
    return null;
  }

  review(attempt: number, verdicts: readonly ModelVerdict[], confirm: boolean): string | null {
    if (this.status !== "in_review" || attempt !== this.attempt) return "invalid_state";
    for (const { slug, approves, reason } of verdicts) {
      const field = this.fields[slug];
      if (field === undefined) throw new TypeError(`no field ${slug}`);
      field.status = approves ? "approved" : EXCEPTION;
      field.reason = approves ? null : reason;
      this.emitted.push(`${slug} ${field.status} ${field.reason ?? ""}`);
    }
    const rejected = verdicts.filter((verdict) => !verdict.approves);
    if (rejected.length > 0) {
      this.exceptions = rejected.map(({ slug, code }) => ({ code, slug }));
      this.go("rejection");
    } else if (confirm) {
      this.version += 1;
      this.go("submitted");
    }
    return null;
  }

  askCancel(asker: "customer" | "ops" | "expiry", now: number, cutoffMs: number): string | null {
    const by = asker === "customer" ? asker : "ops";
    const raisedBy = { customer: "customer", ops: "desk", expiry: "system" }[asker];
    if (this.status === "activating") return "cancel_too_late";
    if (this.isOver) return "invalid_state";
    if (this.status === "cancel_pending") {
      if (by === "customer") return "invalid_state";
      this.close(this.cancel?.by ?? by, this.cancel?.raisedBy ?? raisedBy);
      return null;
    }
    const near = this.status === "foc_scheduled" && (this.date ?? Infinity) - now < cutoffMs;
    if (near && by === "customer") return "cancel_too_late";
    if (this.version === 0) {
      this.close(by, raisedBy);
      return null;
    }
    this.cancel = {
      by,
      raisedBy,
      from: this.status,
      known: this.date,
      noted: null,
      date: null,
      dateAt: null,
    };
    this.attention = false;
    this.go("cancel_pending");
    return null;
  }

  protected close(by: string, reasonBy: string): void {
    for (const number of this.all) {
      if (number.status === "pending" || number.status === "activating") {
        number.status = "cancelled";
      }
    }
    this.closedBy = by;
    this.reasonBy = reasonBy;
    this.exceptions = [];
    this.attention = false;
    this.go("cancelled");
  }

  /** Of an order that is over, only the desk's answer clears the alert. */
  comment(by: string): void {
    if (by === "ops" && this.isOver) this.attention = false;
    if (by === "ops" || by === "carrier") this.emitted.push(`comment ${by}`);
  }
}
