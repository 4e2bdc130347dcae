import { describe, expect, it } from "@jest/globals";
import { judgeAudit } from "./judge-audit.ts";

const shipped = new Set(["node_modules/koa", "node_modules/a/node_modules/b"]);

function report(vulnerabilities: Record<string, { severity: string; node: string }>): string {
  const entries = Object.entries(vulnerabilities).map(([name, { severity, node }]) => {
    const via = [{ source: 1, name, severity }];
    return [name, { name, severity, isDirect: false, via, range: "<2", nodes: [node] }];
  });
  const found: unknown = Object.fromEntries(entries);
  return JSON.stringify({ auditReportVersion: 2, vulnerabilities: found, metadata: {} });
}

describe("the audit of shipped packages", () => {
  it("passes without advisories", () => {
    expect(judgeAudit(report({}), shipped)).toEqual({ outcome: "passed", detail: "" });
  });

  it.each(["high", "critical"])(
    "fails with one that is %s, wherever the package lies",
    (severity) => {
      const found = report({
        koa: { severity: "low", node: "node_modules/koa" },
        b: { severity, node: "node_modules/a/node_modules/b" },
      });
      const detail = `low: koa <2; ${severity}: b <2`;
      expect(judgeAudit(found, shipped)).toEqual({ outcome: "failed", detail });
    },
  );

  it("passes with lesser ones, which it names", () => {
    const found = report({ koa: { severity: "moderate", node: "node_modules/koa" } });
    expect(judgeAudit(found, shipped)).toEqual({ outcome: "passed", detail: "moderate: koa <2" });
  });

  it("leaves out packages for development, and other versions of a shipped one", () => {
    const found = report({
      vite: { severity: "critical", node: "node_modules/vite" },
      b: { severity: "critical", node: "node_modules/b" },
    });
    expect(judgeAudit(found, shipped)).toEqual({ outcome: "passed", detail: "" });
  });

  it.each([
    ['{"message": "405 Method Not Allowed", "statusCode": 405}', "405 Method Not Allowed"],
    ["", "npm audit printed no report"],
    ["<html>", "npm audit printed no report"],
    ['{"auditReportVersion": 3}', "npm audit printed no report"],
  ])("is not done where the registry does not answer: %s", (stdout, detail) => {
    expect(judgeAudit(stdout, shipped)).toEqual({ outcome: "not checked", detail });
  });
});
