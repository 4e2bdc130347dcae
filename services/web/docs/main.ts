import "../ui/base.css";
import "./docs.css";
import { applyTheme } from "../ui/stored-theme.ts";
import { addCopyButtons } from "./copy-buttons.ts";
import { addPageMenu, foldHeadings } from "./narrow-lists.ts";
import { addSearch } from "./search.ts";
import { themeChoice } from "./theme-choice.ts";

/** The pages are whole without this script: it adds what needs one. */
applyTheme();
addPageMenu();
foldHeadings();
addCopyButtons();
const tools = document.querySelector<HTMLElement>("[data-search]");
if (tools !== null) {
  addSearch(tools, tools.dataset["search"] ?? "");
  tools.append(themeChoice());
}
