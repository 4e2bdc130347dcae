import { piecesOf, SearchIndex, snippetOf, type Found, type Piece } from "./search-index.ts";

/** Adds the search to the bar. `/` goes to it, arrows go through what was found, Escape leaves it. */
export function addSearch(bar: HTMLElement, url: string): void {
  const index = new SearchIndex(url);
  const input = element("input", {
    type: "search",
    placeholder: "Search  /",
    ariaLabel: "Search the docs",
    autocomplete: "off",
  });
  const status = element("p", { className: "visually-hidden", role: "status" });
  const list = element("ul", { hidden: true });
  const search = element("div", { className: "search", role: "search" }, [input, status, list]);
  const close = (): void => {
    list.hidden = true;
  };
  const show = async (): Promise<void> => {
    const query = input.value.trim();
    const found = query === "" ? [] : await index.find(query).catch(() => null);
    // A later letter may have been answered meanwhile.
    if (query !== input.value.trim()) return;
    const items = found?.map(itemOf) ?? [];
    list.replaceChildren(...items, ...(items.length === 0 ? [nothing(found === null)] : []));
    list.hidden = query === "";
    status.textContent = query === "" ? "" : found === null ? FAILED : `${items.length} found`;
  };
  // What fails here is tried again, and told, at the first letter.
  input.addEventListener("focus", () => void index.open().catch(() => undefined));
  input.addEventListener("input", () => void show());
  search.addEventListener("keydown", (event) => moveBy(event, { search, input, close }));
  search.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !search.contains(relatedTarget)) close();
  });
  list.addEventListener("click", close);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || isTyping(event.target)) return;
    event.preventDefault();
    input.focus();
  });
  bar.prepend(search);
}

interface SearchParts {
  readonly search: HTMLElement;
  readonly input: HTMLInputElement;
  readonly close: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function moveBy(event: KeyboardEvent, { search, input, close }: SearchParts): void {
  const { key } = event;
  const links = [...search.querySelectorAll<HTMLElement>("li a")];
  if (key === "Escape") {
    close();
    input.focus();
  } else if (key === "Enter" && event.target === input) {
    links[0]?.click();
  } else if (key in STEPS && links.length > 0) {
    event.preventDefault();
    const stops = [input, ...links];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops.at((at + (STEPS[key] ?? 0)) % stops.length)?.focus();
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, select, textarea") !== null;
}

function itemOf({ id, page, heading, text, terms }: Found): HTMLElement {
  const parts = [
    element("strong", {}, marked(piecesOf(heading, terms))),
    ...(heading === page ? [] : [element("em", { textContent: page })]),
    element("span", {}, marked(snippetOf(text, terms))),
  ];
  return element("li", {}, [element("a", { href: id }, parts)]);
}

const FAILED = "The search could not be loaded. Try again, or reload the page.";

function nothing(hasFailed: boolean): HTMLElement {
  const textContent = hasFailed ? FAILED : "Nothing found.";
  return element("li", { className: "nothing", textContent });
}

function marked(pieces: readonly Piece[]): (Node | string)[] {
  return pieces.map(({ text, isMatch }) =>
    isMatch ? element("mark", { textContent: text }) : text,
  );
}

/** A new element with properties and children; never from markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
