import { InvalidArgumentError, Option, type Command } from "commander";
import type { Paged } from "../../client/caller.ts";
import { EVENT_TYPES } from "../../client/generated/api-types.ts";
import { usageError } from "../errors.ts";

/** Options of every command. */
export interface Json {
  readonly json?: true;
}

export interface Limit extends Json {
  readonly limit: number;
}

/** Adds a command that prints something. */
export function leaf(parent: Command, usage: string, summary: string): Command {
  return parent
    .command(usage)
    .description(summary)
    .option("--json", "print one JSON value a line, for programs");
}

/** Adds a command that lists something. */
export function listLeaf(parent: Command, usage: string, summary: string): Command {
  return leaf(parent, usage, summary).addOption(
    new Option("--limit <count>", "how many at most, from 1 on")
      .default(20)
      .argParser(countFromOne),
  );
}

/** The most that a page of the API has. */
const MOST_PER_PAGE = 250;

/** The first items of a list; `list` asks for it with this length of its pages. */
export function firstItems<T>(
  limit: number,
  list: (page: { readonly limit: number }) => Paged<T>,
): Promise<T[]> {
  return list({ limit: Math.min(limit, MOST_PER_PAGE) }).toArray(limit);
}

/** An option that may be given several times; `choices` are its possible values. */
export function repeated(flags: string, text: string, choices?: readonly string[]): Option {
  const option = new Option(flags, `${text}; repeatable`);
  if (choices !== undefined) option.choices(choices);
  return option.argParser((value: string, before: readonly string[] | undefined) => {
    if (choices !== undefined && !choices.includes(value)) {
      throw new InvalidArgumentError(`It is one of ${choices.join(", ")}.`);
    }
    return [...(before ?? []), value];
  });
}

/** `--type`, for events. */
export function eventTypes(flags: string, text: string): Option {
  return repeated(flags, text, EVENT_TYPES);
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It is not a whole number.");
  return Number(text);
}

function countFromOne(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("It is a whole number from 1 to 999999999.");
}

/** `slug=value` options by slug. */
export function bySlug(pairs: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw usageError(`${pair} is not <slug>=<value>.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
