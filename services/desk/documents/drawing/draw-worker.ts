import { answerFileJobs } from "../../../platform/jobs/answer-file-jobs.ts";
import type { DrawJob } from "../page-drawer.ts";
import { drawTiffPage, type Drawing } from "./draw-tiff-page.ts";

answerFileJobs((bytes, { page }: DrawJob): Drawing =>
  bytes === "too_large" ? { kind: "not_drawable" } : drawTiffPage(bytes, page),
);
