import type { Fetch } from "../../ui/http/request.ts";

/** How much of a form has been sent, in bytes. */
export interface Progress {
  readonly sent: number;
  readonly all: number;
}

/** Sends a form as fetch does, and says how much of it has been sent, which fetch does not. */
export function uploadWith(onProgress: (progress: Progress) => void): Fetch {
  return (path, { method = "POST", headers, body }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, path);
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.addEventListener("progress", ({ loaded, total }) =>
        onProgress({ sent: loaded, all: total }),
      );
      request.addEventListener("load", () => {
        const { status, responseText } = request;
        const id = request.getResponseHeader("Request-Id");
        const known = id === null ? {} : { "Request-Id": id };
        resolve(new Response(status === 204 ? null : responseText, { status, headers: known }));
      });
      request.addEventListener("error", () => reject(new TypeError("The upload was cut off.")));
      request.send(body instanceof FormData ? body : null);
    });
}

/** A document with its date, as the service takes it. */
export function documentForm(file: File, date: string): FormData {
  const form = new FormData();
  form.set("document_date", `${date}T00:00:00Z`);
  form.set("file", file);
  return form;
}
