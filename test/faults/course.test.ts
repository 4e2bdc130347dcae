import { describe, expect, it } from "@jest/globals";
import { Course } from "./course.ts";

/** Runs until the course is over and then records its name. */
function driver(course: Course, ended: string[], name: string): Promise<void> {
  return course.add(
    (async () => {
      while (!course.failed && !course.quiet) await new Promise((resolve) => setImmediate(resolve));
      ended.push(name);
    })(),
  );
}

describe("the course of a fault run", () => {
  it("ends every driver where one fails, and reports that failure", async () => {
    const course = new Course();
    const ended: string[] = [];
    const others = [driver(course, ended, "desk"), driver(course, ended, "repairs")];
    const failing = course.add(Promise.reject(new Error("the number is missing")));
    await expect(failing).rejects.toThrow("the number is missing");
    await Promise.all(others);
    expect(() => course.check()).toThrow("the number is missing");
    await expect(course.abandon(new Error("later"))).rejects.toThrow("the number is missing");
    expect(ended).toEqual(["desk", "repairs"]);
  });

  it("ends every driver where the run itself fails", async () => {
    const course = new Course();
    const ended: string[] = [];
    void driver(course, ended, "desk");
    course.check();
    await expect(course.abandon(new Error("not quiet"))).rejects.toThrow("not quiet");
    expect(ended).toEqual(["desk"]);
  });
});
