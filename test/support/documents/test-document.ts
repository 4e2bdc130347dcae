/** A valid PDF with a page for each text, which shows its lines (ASCII without parentheses or backslashes). */
export function testPdf(text = "A test document", ...further: readonly string[]): Buffer {
  const kids = [3, ...further.map((_, n) => 6 + 2 * n)].map((page) => `${page} 0 R`);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`,
    ...pageObjects(text, 4),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...further.flatMap((other, n) => pageObjects(other, 7 + 2 * n)),
  ];
  let body = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, "latin1");
}

/** A page, and its content, which is the object of that number. */
function pageObjects(text: string, content: number): string[] {
  const lines = text.split("\n").map((line) => `(${line}) Tj`);
  const stream = `BT /F1 18 Tf 72 720 Td ${lines.join(" 0 -24 Td ")} ET`;
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ];
}
