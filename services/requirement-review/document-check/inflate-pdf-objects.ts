import { Readable } from "node:stream";
import { createInflate, inflateSync } from "node:zlib";
import { errorCodeOf } from "../../platform/error-code.ts";
import { WorkBudget } from "../../domain/document/rules/work-budget.ts";

const STREAM = "stream";
const STREAM_END = "endstream";
/** How far before its stream a dictionary is looked for. */
const MOST_DICTIONARY = 4_096;
/** A file of 20 MiB with more has next to nothing in each. */
const MOST_STREAMS = 100_000;
const MIB = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Inflated at once: deflate grows by 1,032 at most. */
const SMALL_BYTES = 16 * 1024;

/** What may be inflated, in bytes: a scan of 100 pages has some 500 MiB of pixels, and little else. */
const MOST = { objects: 64 * MIB, content: 256 * MIB, all: 1024 * MIB } as const;

interface Budgets {
  /** Object and cross-reference streams, which a parser keeps in memory. */
  readonly objects: WorkBudget;
  /** All but images. */
  readonly content: WorkBudget;
  readonly all: WorkBudget;
}

/**
 * Inflates what parsers and viewers inflate (ISO 32000-1, 7.5.7, 7.5.8 and 7.4.4), and counts it: a small file cannot
 * fill the memory, here or where it is shown.
 * @throws `BudgetExceeded`
 */
export async function inflatePdfObjects(bytes: Buffer): Promise<void> {
  const text = bytes.toString("latin1");
  const streams = new WorkBudget(MOST_STREAMS);
  const budgets: Budgets = {
    objects: new WorkBudget(MOST.objects),
    content: new WorkBudget(MOST.content),
    all: new WorkBudget(MOST.all),
  };
  for (let at = text.indexOf(STREAM); at >= 0; at = text.indexOf(STREAM, at + STREAM.length)) {
    streams.spend(1);
    if (text.endsWith("end", at)) continue;
    const before = text.slice(Math.max(0, at - MOST_DICTIONARY), at);
    const dictionary = readNames(before.slice(before.lastIndexOf("obj") + 3));
    const rounds = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0;
    if (rounds === 0) continue;
    const from = text.indexOf("\n", at) + 1;
    const end = text.indexOf(STREAM_END, from);
    const stream = bytes.subarray(from, end < 0 ? undefined : end);
    if (/\/(?:ObjStm|XRef)\b/.test(dictionary)) inflate(stream, rounds, budgets.objects);
    else await measure(stream, rounds, budgetsOf(dictionary, budgets));
  }
}

/** Names may be written with `#` and two hex digits in place of any character. */
function readNames(dictionary: string): string {
  return dictionary.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function budgetsOf(dictionary: string, { content, all }: Budgets): readonly WorkBudget[] {
  return /\/Image\b/.test(dictionary) ? [all] : [all, content];
}

/** Inflates a stream that was compressed `rounds` times in a row; null where it cannot be, which is the parser's to judge. */
function inflate(stream: Buffer, rounds: number, budget: WorkBudget): Buffer | null {
  let content = stream;
  for (let n = 0; n < rounds; n += 1) {
    try {
      content = inflateSync(content, { maxOutputLength: budget.left + 1 });
    } catch (error) {
      if (errorCodeOf(error) === "ERR_BUFFER_TOO_LARGE") budget.spend(budget.left + 1);
      return null;
    }
    budget.spend(content.length);
  }
  return content;
}

/** Counts what a stream inflates to without keeping it. */
async function measure(
  stream: Buffer,
  rounds: number,
  budgets: readonly WorkBudget[],
): Promise<void> {
  const last = inflate(stream, rounds - 1, new WorkBudget(MOST.objects));
  if (last === null) return;
  if (last.length <= SMALL_BYTES) {
    const length = inflate(last, 1, new WorkBudget(MOST.objects))?.length ?? 0;
    for (const budget of budgets) budget.spend(length);
    return;
  }
  const inflated = Readable.from([last], { objectMode: false }).pipe(
    createInflate({ chunkSize: CHUNK_BYTES }),
  );
  try {
    for await (const chunk of inflated as AsyncIterable<Buffer>) {
      for (const budget of budgets) budget.spend(chunk.length);
    }
  } catch (error) {
    if (!errorCodeOf(error).startsWith("Z_")) throw error;
  }
}
