/** A line of what was pasted: the number, then what it has beside. */
export interface PastedNumber {
  readonly phone_number: string;
  readonly provider: string;
  readonly number_type?: string;
  readonly activated_at?: string;
}

const CELL = /[,;\t](?:"((?:[^"]|"")*)"|([^,;\t]*))/g;

/**
 * Numbers as a spreadsheet has them, one a line: number, provider, type, live since; what follows the number may be left out.
 * A first line of titles is no number.
 */
export function pastedNumbers(text: string, usualProvider: string): PastedNumber[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) =>
      [...`,${line}`.matchAll(CELL)].map(([, quoted, plain = ""]) => (quoted ?? plain).trim()),
    )
    .filter(([first = ""]) => /\d/.test(first))
    .map(([number = "", provider = "", number_type = "", activated_at = ""]) => ({
      phone_number: number.replaceAll(/[\s().-]/g, ""),
      provider: provider === "" ? usualProvider : provider,
      ...(number_type === "" ? {} : { number_type }),
      ...(activated_at === "" ? {} : { activated_at }),
    }));
}
