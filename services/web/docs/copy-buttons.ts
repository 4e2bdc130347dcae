import { element } from "./element.ts";

const SHOWN_MS = 2_000;

/** Gives every block of code a button that copies it. */
export function addCopyButtons(): void {
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
