import { inflateSync } from "node:zlib";

/**
 * The searchable text of a PDF that pdfkit made: one string for each page, its runs separated by line feeds.
 * Characters come from the fonts' ToUnicode tables, as in every PDF reader.
 */
export function textOfPdf(pdf: Buffer): string[] {
  const objects = readObjects(pdf);
  const tables = new Map<string, Map<string, string>>();
  for (const { head } of objects.values()) {
    for (const [, name = "", id = ""] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const unicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? "")?.[1] ?? "";
      tables.set(name, readTable(objects.get(unicode)?.stream ?? ""));
    }
  }
  const kids = /\/Kids \[([^\]]*)\]/.exec([...objects.values()].map((one) => one.head).join("\n"));
  const pages = [...(kids?.[1] ?? "").matchAll(/(\d+) 0 R/g)].map(([, id = ""]) => id);
  return pages.map((id) => {
    const contents = /\/Contents (\d+) 0 R/.exec(objects.get(id)?.head ?? "")?.[1] ?? "";
    return readRuns(objects.get(contents)?.stream ?? "", tables);
  });
}

interface PdfObject {
  readonly head: string;
  readonly stream: string;
}

function readObjects(pdf: Buffer): Map<string, PdfObject> {
  const text = pdf.toString("latin1");
  const objects = new Map<string, PdfObject>();
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, id = "", body = ""] = match;
    const [head = "", rest] = body.split("\nstream\n");
    const raw = Buffer.from(rest?.replace(/\nendstream$/, "") ?? "", "latin1");
    const isDeflated = head.includes("FlateDecode") && !head.includes("/Image");
    objects.set(id, { head, stream: (isDeflated ? inflateSync(raw) : raw).toString("latin1") });
  }
  return objects;
}

function readTable(cmap: string): Map<string, string> {
  const table = new Map<string, string>();
  for (const [, from = "", list = ""] of cmap.matchAll(/<(\w+)> <\w+> \[(.*?)\]/g)) {
    for (const [n, [, units = ""]] of [...list.matchAll(/<([\w ]*)>/g)].entries()) {
      const code = (Number.parseInt(from, 16) + n).toString(16).padStart(4, "0");
      const codes = units.split(" ").map((unit) => Number.parseInt(unit, 16));
      table.set(code, String.fromCharCode(...codes));
    }
  }
  return table;
}

function readRuns(content: string, tables: ReadonlyMap<string, Map<string, string>>): string {
  let table = new Map<string, string>();
  const runs: string[] = [];
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(<[^\]]*)\] TJ/g)) {
    if (font !== undefined) table = tables.get(font) ?? new Map<string, string>();
    const codes = [...(shown ?? "").matchAll(/<(\w+)>/g)].flatMap(
      ([, hex = ""]) => hex.match(/.{4}/g) ?? [],
    );
    if (shown !== undefined) runs.push(codes.map((code) => table.get(code) ?? "").join(""));
  }
  return runs.join("\n");
}
