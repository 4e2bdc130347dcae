import "../ui/base.css";
import "./docs.css";
import { applyTheme, chooseTheme, readTheme, type Theme } from "../ui/stored-theme.ts";
import { addSearch, element } from "./search.ts";

/** As in docs.css. */
const NARROW = "(width < 860px)";
const WITHOUT_MARGIN = "(width < 1180px)";

/** On a narrow window the list of pages is behind a button. */
function addPageMenu(): void {
  const list = document.querySelector<HTMLElement>(".pages");
  const bar = document.querySelector(".bar");
  if (list === null || bar === null) return;
  const button = element("button", { type: "button", className: "menu", textContent: "Pages" });
  button.setAttribute("aria-controls", list.id);
  const narrow = matchMedia(NARROW);
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  const show = (isOpen: boolean): void => {
    list.hidden = narrow.matches && !isOpen;
    button.ariaExpanded = String(isOpen);
  };
  button.addEventListener("click", () => show(button.ariaExpanded !== "true"));
  narrow.addEventListener("change", () => show(false));
  show(false);
  bar.prepend(button);
}

/** Where the list of headings has no column of its own, it is closed until somebody opens it. */
function foldHeadings(): void {
  const list = document.querySelector<HTMLDetailsElement>(".headings details");
  if (list === null) return;
  const narrow = matchMedia(WITHOUT_MARGIN);
  const fold = (): void => {
    list.open = !narrow.matches;
  };
  narrow.addEventListener("change", fold);
  fold();
}

const SHOWN_MS = 2_000;

/** Gives every block of code a button that copies it. */
function addCopyButtons(): void {
  for (const block of document.querySelectorAll(".code")) {
    const button = element("button", { type: "button", textContent: "Copy" });
    button.addEventListener("click", () => {
      void copy(block.querySelector("code")?.textContent ?? "").then((text) => {
        button.textContent = text;
        setTimeout(() => (button.textContent = "Copy"), SHOWN_MS);
      });
    });
    block.append(button);
  }
}

/** What the button says afterwards: a browser refuses the clipboard to pages without TLS, except on this machine. */
async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied";
  } catch {
    return "Not allowed";
  }
}

const LANGUAGE = "docs-language";

/** Samples are shown in the language that somebody chose last, on this page and on others. */
function keepLanguage(): void {
  const choose = (language: string | null): void => {
    for (const input of document.querySelectorAll<HTMLInputElement>(".tabs input")) {
      if (input.value === language) input.checked = true;
    }
  };
  choose(localStorage.getItem(LANGUAGE));
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest(".tabs") === null) return;
    const { top } = target.getBoundingClientRect();
    localStorage.setItem(LANGUAGE, target.value);
    choose(target.value);
    // Samples above may have become longer: what was chosen stays where it was.
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: "instant" });
  });
}

const LABELS: Readonly<Record<Theme, string>> = {
  system: "System",
  light: "Light",
  dark: "Dark",
};
const THEMES = ["system", "light", "dark"] as const;

/** The choice of colours, which the desk and the portal share. */
function themeChoice(): HTMLElement {
  const options = THEMES.map((value) => element("option", { value, textContent: LABELS[value] }));
  const select = element("select", { ariaLabel: "Theme" }, options);
  select.value = readTheme();
  select.addEventListener("change", () => {
    chooseTheme(THEMES.find((theme) => theme === select.value) ?? "system");
  });
  return select;
}

/** The pages are whole without this script: it adds what needs one. */
applyTheme();
addPageMenu();
foldHeadings();
addCopyButtons();
keepLanguage();
const tools = document.querySelector<HTMLElement>("[data-search]");
if (tools !== null) {
  addSearch(tools, tools.dataset["search"] ?? "");
  tools.append(themeChoice());
}
