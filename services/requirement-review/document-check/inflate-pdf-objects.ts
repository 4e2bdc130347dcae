import { inflateSync } from "node:zlib";
import { errorCodeOf } from "../../platform/error-code.ts";
import { WorkBudget } from "./work-budget.ts";

const STREAM = "stream";
const STREAM_END = "endstream";
/** How far before its stream a dictionary is looked for. */
const MOST_DICTIONARY = 4_096;
/** A file of 20 MiB with more has next to nothing in each. */
const MOST_STREAMS = 100_000;

/**
 * Inflates what a PDF parser inflates when it opens a file: object and cross-reference streams (ISO 32000-1, 7.5.7 and
 * 7.5.8). Their output counts in bytes, so that a small file cannot fill the memory.
 * @throws `BudgetExceeded`
 */
export function inflatePdfObjects(bytes: Buffer, budget: WorkBudget): void {
  const text = bytes.toString("latin1");
  const streams = new WorkBudget(MOST_STREAMS);
  for (let at = text.indexOf(STREAM); at >= 0; at = text.indexOf(STREAM, at + STREAM.length)) {
    streams.spend(1);
    const before = text.slice(Math.max(0, at - MOST_DICTIONARY), at);
    const dictionary = readNames(before.slice(before.lastIndexOf("obj") + 3));
    if (!/\/(?:ObjStm|XRef)\b/.test(dictionary)) continue;
    const from = text.indexOf("\n", at) + 1;
    const end = text.indexOf(STREAM_END, from);
    const rounds = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0;
    inflate(bytes.subarray(from, end < 0 ? undefined : end), { rounds, budget });
  }
}

/** Names may be written with `#` and two hex digits in place of any character. */
function readNames(dictionary: string): string {
  return dictionary.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

interface Inflation {
  /** How many times in a row it is compressed. */
  readonly rounds: number;
  readonly budget: WorkBudget;
}

function inflate(stream: Buffer, { rounds, budget }: Inflation): void {
  let content = stream;
  for (let n = 0; n < rounds; n += 1) {
    try {
      content = inflateSync(content, { maxOutputLength: budget.left + 1 });
    } catch (error) {
      if (errorCodeOf(error) === "ERR_BUFFER_TOO_LARGE") budget.spend(budget.left + 1);
      // What cannot be inflated is the parser's to judge.
      return;
    }
    budget.spend(content.length);
  }
}
