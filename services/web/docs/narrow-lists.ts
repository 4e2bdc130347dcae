import { element } from "./element.ts";

/** As in docs.css. */
const NARROW = "(width < 860px)";
const WITHOUT_MARGIN = "(width < 1180px)";

/** On a narrow window the list of pages is behind a button. */
export function addPageMenu(): void {
  const list = document.querySelector<HTMLElement>(".pages");
  const bar = document.querySelector(".bar");
  if (list === null || bar === null) return;
  const button = element("button", { type: "button", className: "menu", textContent: "Pages" });
  button.setAttribute("aria-controls", list.id);
  const narrow = matchMedia(NARROW);
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
export function foldHeadings(): void {
  const list = document.querySelector<HTMLDetailsElement>(".headings details");
  if (list === null) return;
  const narrow = matchMedia(WITHOUT_MARGIN);
  const fold = (): void => {
    list.open = !narrow.matches;
  };
  narrow.addEventListener("change", fold);
  fold();
}
