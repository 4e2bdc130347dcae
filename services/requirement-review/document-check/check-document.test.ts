import { describe, expect, it } from "@jest/globals";
import {
  buildInflatingPdf,
  buildJpeg,
  buildManyPagesTiff,
  buildPdf,
  buildPdfAround,
  buildPng,
  buildTiff,
  restrictPdf,
} from "../../../test/support/documents/document-factory.ts";
import {
  BAD_DOCUMENTS,
  buildAttachmentPdf,
  buildContentBombPdf,
  buildScriptPdf,
} from "../../../test/support/documents/bad-documents.ts";
import { checkDocument } from "./check-document.ts";

async function codeOf(bytes: Buffer): Promise<string> {
  const result = await checkDocument(bytes);
  return result.passed ? "passed" : result.code;
}

/** A signature may be as short as 3 bytes; up to 8 a file may be cut off within it. */
const SIGNATURE_BYTES = 8;
const CUT_TYPE = /^(?:unsupported_document_type|document_truncated)$/;

describe("checkDocument on a PDF", () => {
  it("passes one that opens and has pages", async () => {
    expect(await codeOf(await buildPdf({ pages: 3 }))).toBe("passed");
    expect(await codeOf(buildPdfAround(""))).toBe("passed");
  });

  it("passes one after a byte order mark and blank lines", async () => {
    const pdf = await buildPdf();
    expect(await codeOf(Buffer.concat([Buffer.from("\ufeff\r\n\n"), pdf]))).toBe("passed");
  });

  it("passes one that only forbids printing and editing, if it is harmless", async () => {
    expect(await codeOf(await restrictPdf(await buildPdf({ pages: 2 })))).toBe("passed");
    const script = await restrictPdf(await buildScriptPdf());
    expect(await codeOf(script)).toBe("document_has_javascript");
    const attachment = await restrictPdf(await buildAttachmentPdf("invoice.exe"));
    expect(await codeOf(attachment)).toBe("document_has_attachments");
    const bomb = await restrictPdf(buildContentBombPdf(260));
    expect(await codeOf(bomb)).toBe("document_too_complex");
  });

  it("fails an encrypted one and one without pages", async () => {
    expect(await codeOf(await buildPdf({ password: "secret" }))).toBe("document_encrypted");
    expect(await codeOf(await buildPdf({ pages: 0 }))).toBe("document_empty");
  });

  it("fails one that is cut off anywhere", async () => {
    const whole = await buildPdf({ pages: 2 });
    for (const share of [0.02, 0.3, 0.6, 0.9]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      expect([share, await codeOf(cut)]).toEqual([share, "document_truncated"]);
    }
    const updated = Buffer.concat([whole, Buffer.from("9 0 obj<</Type/Cata")]);
    expect(await codeOf(updated)).toBe("document_truncated");
  });

  it("fails garbage behind a PDF's first bytes, and pages that are their own parents", async () => {
    const garbage = Buffer.from(`%PDF-1.7\n${"\u0001 garbage 12 0 ".repeat(500)}\n%%EOF`);
    expect(await codeOf(garbage)).toBe("document_unreadable");
    const loop = "2 0 obj<</Type/Pages/Kids[2 0 R]/Count 1>>endobj\n";
    expect(await codeOf(buildPdfAround(loop))).toBe("document_unreadable");
  });

  it("inflates no more than a budget, however small the file is", async () => {
    const bomb = buildInflatingPdf(200);
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const startedAt = process.cpuUsage().user;
    expect(await checkDocument(bomb)).toMatchObject({
      passed: false,
      detail: expect.stringContaining("too much work"),
    });
    expect((process.cpuUsage().user - startedAt) / 1_000).toBeLessThan(2_000);
  });

  it("does not recurse into deeply nested arrays", async () => {
    const nested = `4 0 obj${"[".repeat(2_000_000)}endobj\n`;
    expect(await codeOf(buildPdfAround(nested))).toBe("passed");
  });
});

describe("checkDocument on an image", () => {
  it.each([
    ["PNG", buildPng()],
    ["JPEG", buildJpeg()],
    ["TIFF", buildTiff()],
  ])("passes a good %s and fails it wherever it is cut off", async (_name, whole) => {
    expect(await codeOf(whole)).toBe("passed");
    for (let length = 1; length < whole.length; length += 1) {
      const code = await codeOf(whole.subarray(0, length));
      const known = length < SIGNATURE_BYTES ? CUT_TYPE : "document_truncated";
      expect([length, code]).toEqual([length, expect.stringMatching(known)]);
    }
  });

  it.each([
    ["a PNG of 10^9 pixels", buildPng(40_000, 25_000), "document_too_many_pixels"],
    ["a PNG of 2^31 pixels in a row", buildPng(2_147_483_647, 1), "document_too_many_pixels"],
    ["a JPEG of 4 * 10^9 pixels", buildJpeg(65_500, 65_500), "document_too_many_pixels"],
    ["a TIFF of 10^9 pixels in a row", buildTiff({ width: 1e9 }), "document_too_many_pixels"],
    ["a TIFF whose data is beyond its end", buildTiff({ stripBytes: 5_000 }), "document_truncated"],
    ["a TIFF whose pages form a loop", buildTiff({ next: 12 }), "document_unreadable"],
    ["a PNG with a changed byte", Buffer.from(buildPng()).fill(7, 20, 21), "document_unreadable"],
  ])("fails %s", async (_name, bytes, code) => {
    expect(await codeOf(bytes)).toBe(code);
  });

  it("fails an image of width or height 0", async () => {
    expect(await codeOf(buildPng(0, 10))).toBe("document_empty");
    expect(await codeOf(buildTiff({ width: 0 }))).toBe("document_empty");
  });
});

describe("checkDocument on anything else", () => {
  it("fails 0 bytes", async () => {
    expect(await codeOf(Buffer.alloc(0))).toBe("document_empty");
  });

  it.each([
    ["text", "I am a PDF"],
    ["a PDF after another byte", "x%PDF-1.7"],
    ["an SVG", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
  ])("fails %s", async (_name, text) => {
    expect(await codeOf(Buffer.from(text))).toBe("unsupported_document_type");
  });
});

describe("checkDocument on a TIFF whose pages share one huge list", () => {
  it("reads no more of it than a budget", async () => {
    const tiff = buildManyPagesTiff({ pages: 2_000, values: 300_000 });
    expect(await checkDocument(tiff)).toMatchObject({
      passed: false,
      detail: expect.stringContaining("too much work"),
    });
    expect(await codeOf(buildManyPagesTiff({ pages: 200, values: 100 }))).toBe("passed");
  });
});

describe("checkDocument on bad documents", () => {
  it.each(BAD_DOCUMENTS)(
    "fails $name as $code",
    async ({ build, code, detail }) => {
      expect(await checkDocument(await build())).toEqual({
        passed: false,
        code,
        detail: expect.stringContaining(detail),
      });
      // A bomb takes seconds to build on a busy machine.
    },
    60_000,
  );

  it("finds a script by a name with escaped letters, in any object and at any depth", async () => {
    const script = "4 0 obj[[<</A<</S/#4aavaScript>>>>]]endobj\n";
    expect(await codeOf(buildPdfAround(script))).toBe("document_has_javascript");
    const rendition = "4 0 obj<</S/Rendition/JS 5 0 R>>endobj\n";
    expect(await codeOf(buildPdfAround(rendition))).toBe("document_has_javascript");
  });

  it("accepts links, and the data of an electronic invoice", async () => {
    const link = "4 0 obj<</S/URI/URI(https://example.com)>>endobj\n";
    expect(await codeOf(buildPdfAround(link))).toBe("passed");
    expect(await codeOf(await buildAttachmentPdf("factur-x.xml"))).toBe("passed");
    expect(await codeOf(await buildAttachmentPdf("factur-x.xml.exe"))).not.toBe("passed");
  });
});
