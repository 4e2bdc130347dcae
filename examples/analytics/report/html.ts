const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup that may stand in a page as it is. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | readonly Html[] | string | number;

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return part.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
  return part.map(({ markup }) => markup).join("");
}

/** Markup with texts in it, which are escaped: carriers and hosts are named by others. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(markupOf)));
}

export const NOTHING = new Html("");
