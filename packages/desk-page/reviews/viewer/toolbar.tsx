import { useState, type KeyboardEvent } from "react";
import { keyText, type KeyAction } from "../../keys.ts";
import styles from "./viewer.module.css";
import type { Found, Viewer } from "./viewer.ts";

interface ToolbarProps {
  readonly viewer: Viewer;
  /** Null where nothing is searched, or not yet. */
  readonly found: Found | null;
}

export function Toolbar({ viewer, found }: ToolbarProps) {
  const { shown, earlier, position } = viewer;
  return (
    <div className={styles["toolbar"]} role="toolbar" aria-label="Document">
      <PageField viewer={viewer} />
      <Tool name="Zoom out" hotkey="zoomOut" mark="−" onClick={() => viewer.zoom("out")} />
      <span className={styles["found"]}>{Math.round(position.zoom * 100)}%</span>
      <Tool name="Zoom in" hotkey="zoomIn" mark="+" onClick={() => viewer.zoom("in")} />
      <Tool name="Fit the width" hotkey="zoomFit" mark="↔" onClick={() => viewer.zoom("fit")} />
      <Tool name="Rotate" hotkey="rotate" mark="↻" onClick={viewer.rotate} />
      {shown?.previous != null && (
        <button
          type="button"
          className={styles["tool"]}
          aria-pressed={viewer.isCompared}
          onClick={viewer.compare}
        >
          Beside the previous
        </button>
      )}
      {earlier.length > 0 && (
        <select
          aria-label="Earlier files"
          className={styles["tool"]}
          value={earlier.some((one) => one === shown) ? shown?.document.id : ""}
          onChange={(event) => viewer.show(event.target.value)}
        >
          <option value="" disabled>
            Earlier files ({earlier.length})
          </option>
          {earlier.map(({ document, name }) => (
            <option key={document.id} value={document.id}>
              {name}, {document.created_at.slice(0, 10)}
            </option>
          ))}
        </select>
      )}
      <FindField viewer={viewer} found={found} />
    </div>
  );
}

/** The place where a page's number is typed. */
export const PAGE_FIELD_ID = "page-number";

/** Which page of how many is shown, and the way to another; nothing for a single page. */
function PageField({ viewer }: Pick<ToolbarProps, "viewer">) {
  const { paging, goToPage } = viewer;
  const { page, of } = paging;
  const [text, setText] = useState<string | null>(null);
  if (of === null || of === 1) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Enter" && Number(text) > 0) goToPage(Math.floor(Number(text)));
    event.currentTarget.blur();
  };
  return (
    <span className={styles["paging"]}>
      <Tool
        name="Previous page"
        hotkey="previousPage"
        mark="‹"
        onClick={() => goToPage(page - 1)}
      />
      <input
        id={PAGE_FIELD_ID}
        inputMode="numeric"
        aria-label={`Page, of ${of}`}
        title={`Page (${keyText("goToPage")})`}
        size={3}
        value={text ?? page}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => setText(null)}
        onKeyDown={onKeyDown}
      />
      <span className={styles["found"]}>of {of}</span>
      <Tool name="Next page" hotkey="nextPage" mark="›" onClick={() => goToPage(page + 1)} />
    </span>
  );
}

interface ToolProps {
  readonly name: string;
  readonly hotkey: KeyAction;
  readonly mark: string;
  readonly onClick: () => void;
}

function Tool({ name, hotkey, mark, onClick }: ToolProps) {
  return (
    <button
      type="button"
      className={styles["tool"]}
      aria-label={name}
      title={`${name} (${keyText(hotkey)})`}
      onClick={onClick}
    >
      {mark}
    </button>
  );
}

function FindField({ viewer, found }: ToolbarProps) {
  const { find } = viewer;
  const [text, setText] = useState(find?.text ?? "");
  const [given, setGiven] = useState(find);
  if (find !== given) {
    setGiven(find);
    // What a chosen value is searched for stands here, too.
    if (find?.text !== given?.text) setText(find?.text ?? "");
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === "Escape") {
      viewer.findValue("");
      event.currentTarget.blur();
    } else if (event.key === "Enter") {
      if (text !== find?.text) viewer.findValue(text);
      else viewer.findNext(event.shiftKey ? -1 : 1);
    } else return;
    event.preventDefault();
  };
  return (
    <div className={styles["find"]}>
      <span className={styles["found"]} role="status">
        {foundText(find?.nth ?? null, found)}
      </span>
      <input
        type="search"
        aria-label="Find in the document"
        placeholder="Find"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function foundText(nth: number | null, found: Found | null): string {
  if (nth === null || found === null) return "";
  if (!found.hasText) return "No text to search";
  return found.count === 0 ? "Not found" : `${(nth % found.count) + 1} of ${found.count}`;
}
