import { dataOf } from "../../../support/http/call.ts";
import { readEventStream } from "../../../support/http/event-stream-reader.ts";
import { ask } from "../ask.ts";

export interface FeedClient {
  readonly apiUrl: string;
  readonly key: string;
  /** Ends the reading: everything was seen, or the time is up. */
  readonly isOver: (seen: number) => boolean;
}

const PAGE = 250;
const IDLE_MS = 50;
/** The longest time before the client drops its stream and reconnects. */
const STREAM_MS = 3_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The ids that a client collects by paging forward after those that it knows. */
export async function pageForward(
  { apiUrl, key, isOver }: FeedClient,
  known: readonly string[],
): Promise<string[]> {
  const seen = [...known];
  while (!isOver(seen.length)) {
    const last = seen.at(-1);
    const after = last === undefined ? "" : `&starting_after=${last}`;
    const url = `${apiUrl}/v2/porting/events?order=asc&limit=${PAGE}${after}`;
    const answer = await ask(url, { key });
    const page = answer?.status === 200 ? dataOf(answer) : [];
    seen.push(...page.map(({ id }) => String(id)));
    if (page.length < PAGE) await pause(IDLE_MS);
  }
  return seen;
}

/** The ids that a client of the live stream collects over repeated disconnections, and the number of reconnections. */
export async function followStream(
  { apiUrl, key, isOver }: FeedClient,
  known: readonly string[],
  random: () => number,
): Promise<{ readonly seen: string[]; readonly reconnects: number }> {
  const seen = [...known];
  let reconnects = -1;
  while (!isOver(seen.length)) {
    reconnects += 1;
    const last = seen.at(-1);
    const headers = last === undefined ? {} : { "Last-Event-ID": last };
    const onEvent = ({ id }: { readonly id: string }): void => {
      seen.push(id);
    };
    const url = `${apiUrl}/v2/porting/events/stream`;
    const reader = await readEventStream(url, { key, headers, onEvent }).catch(() => null);
    if (reader?.status !== 200) {
      await pause(IDLE_MS);
      continue;
    }
    const until = performance.now() + random() * STREAM_MS;
    while (performance.now() < until && !isOver(seen.length)) await pause(IDLE_MS);
    reader.stop();
    await reader.ended;
  }
  return { seen, reconnects };
}
