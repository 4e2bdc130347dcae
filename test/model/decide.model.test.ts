import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readCarriers } from "../../services/domain/carrier/read-carriers.ts";
import {
  kindOf,
  reasonOf as carrierReasonOf,
} from "../../services/domain/carrier/rules/read-update.ts";
import { T0 } from "../support/orders/order-factory.ts";
import { commandOf } from "./act-to-command.ts";
import { isAcceptedByDesk, stepModel } from "./model-step.ts";
import type { Act } from "./order-acts.ts";
import type { OrderModel } from "./order-model.ts";
import { foreseen, seen, eventsOf } from "./seen-order.ts";
import { modelOf, scenariosWith } from "./scenarios.ts";
import type { WaitKind } from "../../services/domain/deadline/deadline.ts";
import { carrierRequestId } from "../../services/domain/order/rules/order-messages.ts";
import { decide, type OrderCommand } from "../../services/domain/order/rules/decide.ts";
import { NEXT_EVENTS } from "../../services/api/openapi/event-catalogue.ts";
import type { SentEventType } from "../../services/messages/events.ts";
import { findDecisionFaults } from "../../services/desk/reviews/record-decision.ts";
import type { Effect } from "../../services/domain/order/rules/effects.ts";
import { nextActionOf } from "../../services/domain/order/rules/next-action.ts";
import {
  ORDER_STATUSES,
  SYSTEM_ACTOR,
  type Order,
  type OrderStatus,
} from "../../services/domain/order/rules/order.ts";

/**
 * The usual runs are the same each time, so that a change is blamed for what it broke alone; `MODEL_RUNS=10000` walks
 * other ways each time, and `MODEL_SEED` repeats them.
 */
const RUNS = Number(process.env["MODEL_RUNS"] ?? 2_000);
const SEED = process.env["MODEL_SEED"] ?? (process.env["MODEL_RUNS"] === undefined ? "1" : null);
const PROVIDERS = readCarriers("data/carriers").providers;
const HOUR_MS = 3_600_000;
const TERMINAL: readonly OrderStatus[] = ["completed", "completed_partial", "cancelled"];
/** In which the carrier owes an answer. */
const OWED_AN_ANSWER = ["submitted", "cancel_pending"];

function same(actual: unknown, wanted: unknown): void {
  // `toEqual` is slow, and the values are nearly always equal.
  if (!isDeepStrictEqual(actual, wanted)) expect(actual).toEqual(wanted);
}

/** The update as the adapter reads it from the provider: by the provider's table, or with an explicit kind. */
function asReported(provider: string, command: OrderCommand): OrderCommand {
  if (command.command !== "status_update" || command.update.kind === null) return command;
  const { update } = command;
  const table = PROVIDERS.get(provider);
  const [raw_status = ""] =
    [...(table?.statuses ?? [])].find(([, kind]) => kind === update.kind) ?? [];
  const [raw_code = update.code ?? ""] =
    [...(table?.codes ?? [])].find(([, code]) => code === update.code) ?? [];
  const raw_text = update.text ?? "";
  const rejection = update.code === null ? null : { raw_code, raw_text, slug: null };
  const kind = kindOf(PROVIDERS, { provider, raw_status, kind: null, rejection });
  const { code } = carrierReasonOf(PROVIDERS, { provider, rejection });
  same(kind, update.kind);
  if (update.code !== "no_such_code") same(code, update.code);
  return { ...command, update: { ...update, kind: update.kind, raw_status, code } };
}

/** Makes a rule that mutates its input throw. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}

/** The whole life of one order and its invariants. */
class Life {
  order: Order;
  readonly model: OrderModel;
  now = T0.getTime();
  readonly tried = new Set<string>();
  /** Each event that was published right after another. */
  readonly successions = new Set<string>();
  private latest: SentEventType = "porting_order.created";
  private readonly statuses: string[] = [];
  private openCase: number | null = null;
  private deadline: Date | null = null;
  private readonly activated: string[] = [];
  private sent = 0;
  /** The date on which the carrier was last asked to activate. */
  private askedToActivate: string | null = null;
  private readonly waits = new Map<WaitKind, Date>([["draft_expiry", T0]]);
  /** Ids of the requests to the carrier. */
  private readonly requests = new Set<string>();
  /** The dates on which a version was to be activated; one that was moved away and back is asked for under its own id. */
  private readonly datesAsked = new Set<string>();
  private isAskedAgain = false;

  constructor(order: Order) {
    this.order = order;
    this.model = modelOf(order);
  }

  perform(one: Act): void {
    this.now += 1_000;
    if (this.order.deleted_at !== null) return;
    if (one.act === "wait") this.now += one.hours * HOUR_MS;
    if (one.act === "attention" && !this.model.isOver) {
      this.order = { ...this.order, attention: { reason: "silence", raised_at: "" } };
      this.model.attention = true;
    }
    const command =
      one.act === "foc_reached"
        ? this.reach()
        : one.act === "overdue"
          ? this.wakeUp(one.kind)
          : this.reportedBy(commandOf(one, this.model, this.now));
    if (command !== null) this.handle(command);
    this.check();
  }

  private reportedBy(command: OrderCommand | null): OrderCommand | null {
    return command === null ? null : asReported(this.order.provider, command);
  }

  /** Moves the clock to the deadline, which is then due. */
  private reach(): OrderCommand | null {
    if (this.deadline === null) return null;
    const at = this.deadline;
    this.now = Math.max(this.now, at.getTime());
    this.deadline = null;
    return { command: "foc_reached", at };
  }

  /** A wait lasts too long; the deadline of the FOC date itself comes first. */
  private wakeUp(kind: WaitKind): OrderCommand | null {
    const at = this.waits.get(kind);
    if (at === undefined) return null;
    if (kind === "foc_grace" && this.deadline !== null) return this.reach();
    this.now = Math.max(this.now, at.getTime()) + 72 * HOUR_MS;
    this.waits.delete(kind);
    return { command: kind, at };
  }

  private handle(command: OrderCommand): void {
    this.isAskedAgain = command.command === "foc_grace" || command.command === "carrier_silence";
    const now = new Date(this.now);
    if (command.command === "review") {
      const faults = findDecisionFaults(this.order, command);
      same(faults.length === 0, isAcceptedByDesk(this.model, command));
      if (faults.length > 0) return;
    }
    const { status } = this.order;
    this.tried.add(status);
    const decision = decide(freeze(this.order), command, { actor: SYSTEM_ACTOR, now });
    const refusal = stepModel(this.model, command, this.now);
    same(decision.allowed ? null : decision.refusal.code, refusal);
    if (!decision.allowed) return;
    same(eventsOf(decision.effects), this.model.emitted);
    this.order = decision.order;
    for (const effect of decision.effects) this.follow(effect);
    const owesNow = OWED_AN_ANSWER.includes(this.order.status) && !OWED_AN_ANSWER.includes(status);
    if (owesNow) same(this.waits.has("carrier_silence"), true);
    if (TERMINAL.includes(status)) same(this.order.status, status);
    if (command.command === "foc_reached" && status === "foc_scheduled") {
      same(this.askedToActivate, this.order.foc_actual);
    }
  }

  private follow(effect: Effect): void {
    if (effect.effect === "event") {
      this.successions.add(`${this.latest} → ${effect.type}`);
      this.latest = effect.type;
      if (effect.type === "porting_order.status_changed") {
        const { previous_status: previous, new_status: next, porting_order } = effect.payload;
        same(previous, this.statuses.at(-1) ?? "draft");
        same(porting_order.status, next);
        this.statuses.push(next);
        if (next === "foc_scheduled" && previous !== "cancel_pending") this.askedToActivate = null;
      } else if (effect.type === "number.activated") {
        this.activated.push(effect.payload.phone_number);
      }
    } else if (effect.effect === "review_request" && effect.kind !== "check_document") {
      const opens = effect.kind === "open_case";
      same(this.openCase, opens ? null : effect.attempt);
      this.openCase = opens ? effect.attempt : null;
    } else if (effect.effect === "carrier_task") {
      const id = carrierRequestId(this.order, effect.kind);
      const date = `${this.order.request_version} ${Date.parse(this.order.foc_actual ?? "")}`;
      const isDateAskedAgain = effect.kind === "activate" && this.datesAsked.has(date);
      same(this.requests.has(id), this.isAskedAgain || isDateAskedAgain);
      this.requests.add(id);
      if (this.isAskedAgain) return;
      if (effect.kind === "submit" || effect.kind === "supplement") {
        this.sent += 1;
        this.openCase = null;
        // The new version may get the date of the one before, and is activated by itself.
        this.askedToActivate = null;
        same(effect.kind, this.sent === 1 ? "submit" : "supplement");
      } else if (effect.kind === "activate") {
        same(this.askedToActivate === this.order.foc_actual, false);
        this.askedToActivate = this.order.foc_actual;
        this.datesAsked.add(date);
      }
    } else if (effect.effect === "deadline") this.deadline = effect.due_at;
    else if (effect.effect === "wait") {
      if (effect.since === null) this.waits.delete(effect.kind);
      else this.waits.set(effect.kind, effect.since);
    }
  }

  private check(): void {
    const { order, model } = this;
    same(seen(order), foreseen(model));
    same(order.status, this.statuses.at(-1) ?? "draft");
    if (order.status === "rejection") this.openCase = null;
    same(this.openCase, order.status === "in_review" ? order.review_attempt : null);
    same(model.caseOpen, order.status === "in_review");
    same(this.sent, order.request_version);
    this.checkNumbers();
    this.checkNextAction();
    this.checkWaits();
    same(order.closed_at !== null, TERMINAL.includes(order.status));
    same(order.closed_by !== null, order.status === "cancelled");
    if (order.status === "foc_scheduled") {
      const date = order.foc_actual ?? "";
      if (this.askedToActivate === date) same(this.deadline, null);
      else same(this.deadline?.getTime(), Date.parse(date));
    } else if (order.status !== "cancel_pending") same(this.deadline, null);
  }

  private checkNumbers(): void {
    const { status, numbers } = this.order;
    const statuses = numbers.map((one) => one.status);
    const active = numbers.filter((one) => one.status === "active");
    for (const one of numbers) {
      same(one.failure_code !== null, one.status === "failed");
      same(one.activated_at !== null, one.status === "active");
    }
    if (status === "completed") same(active, numbers);
    if (status === "completed_partial") {
      same(active.length > 0 && active.length < numbers.length, true);
    }
    if (TERMINAL.includes(status)) {
      same(statuses.includes("pending") || statuses.includes("activating"), false);
      same([...this.activated].sort(), active.map((one) => one.phone_number).sort());
    } else same(this.activated, []);
    if (status === "activating") same(statuses.includes("activating"), true);
    else if (!TERMINAL.includes(status)) same(active, []);
  }

  private checkWaits(): void {
    const { status, deleted_at } = this.order;
    const isDraft = status === "draft" && deleted_at === null;
    same(this.waits.has("draft_expiry"), isDraft);
    same(this.waits.has("rejection_expiry"), status === "rejection");
    same(this.waits.has("foc_grace"), status === "foc_scheduled");
    if (this.waits.has("carrier_silence")) same(OWED_AN_ANSWER.includes(status), true);
  }

  private hasEarlierDate(): boolean {
    const { status, foc_actual: confirmed, foc_requested: wanted } = this.order;
    if (status !== "foc_scheduled" || confirmed === null || wanted === null) return false;
    return new Date(confirmed) < new Date(wanted);
  }

  private checkNextAction(): void {
    const { status, requirements } = this.order;
    const { actor, action } = nextActionOf(this.order, new Map(), new Date(this.now));
    if (status === "rejection") {
      const fix = requirements.some((one) => one.status === "requirement-info-exception");
      same([actor, action], ["customer", fix ? "fix_requirement" : "submit_again"]);
    } else if (this.order.attention !== null) same([actor, action], ["desk", "handle_exception"]);
    else if (TERMINAL.includes(status)) same([actor, action], ["none", "none"]);
    else if (status === "draft") {
      const context = { actor: SYSTEM_ACTOR, now: new Date(this.now) };
      const { allowed } = decide(this.order, { command: "submit" }, context);
      same([actor, action === "submit"], ["customer", allowed]);
    } else if (this.hasEarlierDate()) same([actor, action], ["customer", "confirm_date"]);
    else same(actor, status === "in_review" ? "desk" : "carrier");
  }
}

describe("an order under any sequence of commands", () => {
  it("matches the contract's transition table after every random command", () => {
    const visited = new Set<string>();
    const successions = new Set<string>();
    fc.assert(
      fc.property(scenariosWith(PROVIDERS.keys()), ({ draft, acts }) => {
        const life = new Life(draft);
        for (const one of acts) life.perform(one);
        for (const status of life.tried) visited.add(status);
        for (const one of life.successions) successions.add(one);
      }),
      { numRuns: RUNS, ...(SEED === null ? {} : { seed: Number(SEED) }) },
    );
    expect([...visited].sort()).toEqual([...ORDER_STATUSES].sort());
    const documented = new Set(
      Object.entries(NEXT_EVENTS).flatMap(([type, next]) => next.map((one) => `${type} → ${one}`)),
    );
    expect([...successions].filter((one) => !documented.has(one))).toEqual([]);
  }, 300_000);
});
