import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../project-root.ts";
import { diagramsIn, DOCUMENTS } from "./state-diagrams.ts";

describe.each(Object.entries(DOCUMENTS))("the state diagrams of %s", (document, diagrams) => {
  const drawn = diagramsIn(readFileSync(join(projectRoot, document), "utf8"));

  it.each(diagrams.map(({ of, draw }, n) => ({ of, draw, inDocument: drawn[n] })))(
    "match the table of $of; `npm run diagrams` draws them",
    ({ draw, inDocument }) => {
      expect(inDocument?.split("\n")).toEqual(draw().split("\n"));
    },
  );
});
