import { readQuestion, type Source } from "./sources.ts";
import { unitOf, type Unit } from "./report/time-buckets.ts";

export interface Overview {
  readonly created: number;
  readonly submitted: number;
  /** In part or in full. */
  readonly completed: number;
  readonly completed_partial: number;
  readonly cancelled: number;
  readonly open: number;
  readonly median_seconds: number | null;
}

/** Without carrier and country: of all orders. */
export interface TimeInStatus {
  readonly losing_carrier: string | null;
  readonly country_code: string | null;
  readonly status: string;
  readonly orders: number;
  readonly median_seconds: number;
  readonly p90_seconds: number;
}

export interface Rejections {
  readonly code: string;
  readonly raised_by: string;
  readonly rejections: number;
  readonly orders: number;
}

export interface FirstTimeRight {
  readonly country_code: string;
  readonly ended: number;
  readonly first_time_right: number;
}

export interface FocKept {
  readonly losing_carrier: string;
  readonly country_code: string;
  readonly dated: number;
  readonly kept: number;
  readonly moved: number;
  readonly late: number;
}

export interface PortOuts {
  readonly decided_by: string;
  readonly outcome: string;
  readonly rejection_code: string | null;
  readonly port_outs: number;
  readonly mean_seconds: number | null;
}

export interface DeskSpan {
  readonly first_at: Date | null;
  readonly last_at: Date | null;
}

export interface DeskThroughput {
  readonly starts_at: Date;
  readonly opened: number;
  readonly confirmed: number;
  readonly rejected: number;
}

export interface DeskWaits {
  readonly country_code: string;
  readonly cases: number;
  readonly median_seconds: number;
  readonly p90_seconds: number;
}

export interface Webhooks {
  readonly account_id: string;
  readonly endpoint_id: string | null;
  readonly host: string | null;
  readonly deliveries: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly waiting: number;
  readonly attempts: number;
  readonly median_seconds: number | null;
  readonly p95_seconds: number | null;
}

/** The rows of each question, by the name of its file. */
interface Answers {
  readonly overview: Overview;
  readonly "time-in-status": TimeInStatus;
  readonly rejections: Rejections;
  readonly "first-time-right": FirstTimeRight;
  readonly "foc-kept": FocKept;
  readonly "port-outs": PortOuts;
  readonly "desk-span": DeskSpan;
  readonly "desk-throughput": DeskThroughput;
  readonly "desk-waits": DeskWaits;
  readonly webhooks: Webhooks;
}

/** Everything that the report shows. */
export interface Figures {
  readonly overview: Overview;
  readonly timeInStatus: readonly TimeInStatus[];
  readonly rejections: readonly Rejections[];
  readonly firstTimeRight: readonly FirstTimeRight[];
  readonly focKept: readonly FocKept[];
  readonly portOuts: readonly PortOuts[];
  readonly deskUnit: Unit;
  readonly deskThroughput: readonly DeskThroughput[];
  readonly deskWaits: readonly DeskWaits[];
  /** Null without Postgres. */
  readonly webhooks: readonly Webhooks[] | null;
}

export interface Sources {
  readonly sqlFolder: string;
  readonly files: Source;
  readonly postgres: Source | null;
}

/** The questions' answers since a time: those of orders from the files, those of deliveries from Postgres. */
export async function readFigures(sources: Sources, since: Date): Promise<Figures> {
  const { sqlFolder, files, postgres } = sources;
  const askIn =
    (source: Source) =>
    async <Q extends keyof Answers>(question: Q, ...more: string[]): Promise<Answers[Q][]> => {
      const sql = await readQuestion(sqlFolder, question);
      return (await source.ask(sql, [since.toISOString(), ...more])) as unknown as Answers[Q][];
    };
  const ask = askIn(files);
  const [overview] = await ask("overview");
  const [span] = await ask("desk-span");
  if (overview === undefined || span === undefined) throw new TypeError("a question has no answer");
  const deskUnit = unitOf(span.first_at ?? since, span.last_at ?? since);
  return {
    overview,
    timeInStatus: await ask("time-in-status"),
    rejections: await ask("rejections"),
    firstTimeRight: await ask("first-time-right"),
    focKept: await ask("foc-kept"),
    portOuts: await ask("port-outs"),
    deskUnit,
    deskThroughput: await ask("desk-throughput", deskUnit),
    deskWaits: await ask("desk-waits"),
    webhooks: postgres === null ? null : await askIn(postgres)("webhooks"),
  };
}
