import { escapeHtml } from "./escape-html.ts";

const TEXT = /"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/;
const QUOTED = /'(?:\\.|[^'\\\n])*'/;
const NUMBER = /(?<![\w.])-?\d[\d_.]*(?!\w)/;
const WORDS =
  /(?<![\w.$])(?:as|async|await|break|case|class|const|def|default|else|export|extends|false|False|for|from|function|if|import|in|interface|let|new|None|null|of|return|switch|throw|true|True|try|type|while|with|yield)(?!\w)/;

type Kind = "comment" | "string" | "key" | "number" | "keyword";
type Rules = readonly (readonly [Kind, RegExp])[];

const PROGRAM: Rules = [
  ["comment", /\/\/[^\n]*|\/\*[^]*?\*\//],
  ["string", new RegExp(`${TEXT.source}|${QUOTED.source}`)],
  ["keyword", WORDS],
  ["number", NUMBER],
];
const PYTHON: Rules = [["comment", /#[^\n]*/], ...PROGRAM.slice(1)];
const SHELL: Rules = [
  ["comment", /(?<=^|\n)\s*#[^\n]*/],
  ["string", /"(?:\\.|[^"\\])*"|'[^']*'/],
  ["key", /\$\w+/],
];
const JSON_RULES: Rules = [
  ["key", /"(?:\\.|[^"\\\n])*"(?=\s*:)/],
  ["string", TEXT],
  ["keyword", /\b(?:true|false|null)\b/],
  ["number", NUMBER],
];

/** What is told apart in each language; code of another is left as it is. */
const LANGUAGES: Readonly<Record<string, Rules>> = {
  ts: PROGRAM,
  js: PROGRAM,
  python: PYTHON,
  sh: SHELL,
  bash: SHELL,
  json: JSON_RULES,
};

/** Code as HTML, with a class for what each word is; the colours are in packages/docs-page/docs.css. */
export function colouredCode(text: string, language: string): string {
  const rules = LANGUAGES[language];
  if (rules === undefined) return escapeHtml(text);
  const pattern = new RegExp(
    rules.map(([kind, rule]) => `(?<${kind}>${rule.source})`).join("|"),
    "g",
  );
  let html = "";
  let at = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(pattern)) {
    const kind = rules.find(([name]) => groups[name] === found)?.[0] ?? "";
    html += `${escapeHtml(text.slice(at, index))}<span class="${kind}">${escapeHtml(found)}</span>`;
    at = index + found.length;
  }
  return html + escapeHtml(text.slice(at));
}
