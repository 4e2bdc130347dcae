import { tooComplex } from "../../domain/document/rules/check-result.ts";
import { answerFileJobs } from "../../platform/jobs/answer-file-jobs.ts";
import { readDocument } from "../document-reading/read-document.ts";
import { checkDocument } from "./check-document.ts";
import type { CheckAnswer, DocumentAnswer, DocumentJob } from "./warm-worker.ts";

answerFileJobs(async (bytes, job: DocumentJob): Promise<DocumentAnswer> => {
  switch (job.kind) {
    case "check":
      return check(bytes);
    case "read": {
      if (bytes === "too_large") return { kind: "read", reading: null };
      // A file that cannot be opened here has failed its check, or will.
      const reading = await readDocument(bytes, job.wanted).catch(() => null);
      return { kind: "read", reading };
    }
  }
});

async function check(bytes: Buffer | "too_large"): Promise<CheckAnswer> {
  const result =
    bytes === "too_large" ? tooComplex("The file is too large.") : await checkDocument(bytes);
  return { kind: "checked", result };
}
