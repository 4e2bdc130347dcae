import { answerOf } from "../../client/client-files.ts";
import {
  parametersOf,
  successOf,
  type ApiDocument,
  type CustomerOperation,
} from "../../client/document.ts";
import { exampleOf } from "../../../services/platform/openapi/example-of.ts";

/** How samples name what everybody has their own of. */
export interface SampleNames {
  /** The shell's variables: the address, and the key or token. */
  readonly url: string;
  readonly key: string;
  /** The object with the client's methods; null where there is no client. */
  readonly client: string | null;
}

interface Call {
  readonly operation: CustomerOperation;
  readonly path: string;
  /** The parameters of the path, in its order. */
  readonly ids: readonly unknown[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly json: object | undefined;
  readonly form: Readonly<Record<string, unknown>> | undefined;
  readonly isKeyed: boolean;
}

export interface Sample {
  readonly label: string;
  readonly language: string;
  readonly text: string;
}

/** The call in each language, once with each kind of body that the operation takes. */
export function sampleCalls(
  document: ApiDocument,
  operation: CustomerOperation,
  names: SampleNames,
): Sample[][] {
  const types = Object.keys(operation.requestBody?.content ?? { none: {} });
  return types.map((type) => {
    const call = callOf(document, operation, type);
    const typescript = typescriptOf(document, call, names);
    return [
      { label: "curl", language: "sh", text: curlOf(call, names) },
      ...(typescript === null ? [] : [{ label: "TypeScript", language: "ts", text: typescript }]),
      { label: "Python", language: "python", text: pythonOf(call) },
    ];
  });
}

function callOf(document: ApiDocument, operation: CustomerOperation, type: string): Call {
  const { schemas } = document.components;
  const sample = (kind: string) =>
    parametersOf(operation, kind)
      .filter(({ required }) => required === true)
      .map(({ name = "", schema = {} }): [string, unknown] => [
        name,
        exampleOf(schema, schemas, name),
      ]);
  const ids = new Map(sample("path"));
  const path = operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(ids.get(name))),
  );
  const body = operation.requestBody?.content[type];
  const isForm = type === "multipart/form-data";
  return {
    operation,
    path,
    ids: [...ids.values()],
    query: Object.fromEntries(sample("query")),
    json: isForm ? undefined : (body?.example as object | undefined),
    form: isForm ? (exampleOf(body?.schema ?? {}, schemas) as Record<string, unknown>) : undefined,
    isKeyed: (operation.security ?? []).length > 0,
  };
}

function curlOf(
  { operation, path, query, json, form, isKeyed }: Call,
  { url, key }: SampleNames,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.append(name, String(value));
  const isFile = !Object.keys(successOf(operation)).some(
    (type) => type === "application/json" || type.startsWith("text/"),
  );
  const hasAnswer = Object.keys(successOf(operation)).length > 0;
  const parts = [
    `curl -sS${operation.method === "GET" ? "" : ` -X ${operation.method}`} "${url}${path}${search.size === 0 ? "" : `?${search.toString()}`}"`,
    ...(isKeyed ? [`-H "Authorization: Bearer ${key}"`] : []),
    ...(json === undefined
      ? []
      : [`--json '${JSON.stringify(json, null, 2).replaceAll("'", String.raw`'\''`)}'`]),
    ...Object.entries(form ?? {}).map(([name, value]) =>
      name === "file" ? "-F file=@invoice.pdf" : `-F '${name}=${String(value)}'`,
    ),
    ...(hasAnswer && isFile ? ["-o answer"] : []),
  ];
  return parts.join(" \\\n  ");
}

/** The client's method; null where it has none, as for a stream or what a browser alone calls. */
function typescriptOf(document: ApiDocument, call: Call, { client }: SampleNames): string | null {
  const { operation, ids, query, json, form, isKeyed } = call;
  if (client === null || !isKeyed) return null;
  if (successOf(operation)["text/event-stream"] !== undefined) return null;
  const given = [...ids, ...(json === undefined ? [] : [json])].map((one) => literal(one));
  if (form !== undefined) given.push(literal(form).replace(/(?<=file: ).*(?=,)/, BLOB));
  if (Object.keys(query).length > 0) given.push(literal(query));
  const text = `${client}.${operation.operationId}(${given.join(", ")})`;
  const { by } = answerOf(document, operation);
  const imported = form === undefined ? CLIENT : `${OPEN_AS_BLOB}\n${CLIENT}`;
  const begin = `${imported}\n\nconst ${client} = ${NEW_CLIENT};\n`;
  if (by === "list") return `${begin}for await (const one of ${text}) {\n  console.log(one);\n}`;
  return begin + (by === "nothing" ? `await ${text};` : `const answer = await ${text};`);
}

const OPEN_AS_BLOB = 'import { openAsBlob } from "node:fs";';
const CLIENT = 'import { PortingClient } from "./client/porting-client.ts";';
const NEW_CLIENT = `new PortingClient({
  baseUrl: process.env.API ?? "",
  apiKey: process.env.KEY ?? "",
})`;

const BLOB = 'await openAsBlob("invoice.pdf")';

/** A value as TypeScript writes it: names without quotes. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

function pythonOf({ operation, path, query, json, form, isKeyed }: Call): string {
  const { file, ...fields } = form ?? {};
  const given = [
    `f"{url}${path}"`,
    ...(isKeyed ? ['headers={"Authorization": f"Bearer {key}"}'] : []),
    ...(Object.keys(query).length === 0 ? [] : [`params=${pythonValue(query)}`]),
    ...(json === undefined ? [] : [`json=${pythonValue(json)}`]),
    ...(file === undefined ? [] : ['files={"file": open("invoice.pdf", "rb")}']),
    ...(Object.keys(fields).length === 0 ? [] : [`data=${pythonValue(fields)}`]),
  ];
  const isStream = successOf(operation)["text/event-stream"] !== undefined;
  if (isStream) given.push("stream=True");
  const call = `answer = requests.${operation.method.toLowerCase()}(\n    ${given.join(",\n    ")},\n)`;
  return `${call}\nanswer.raise_for_status()`;
}

const PYTHON_WORDS: Readonly<Record<string, string>> = {
  true: "True",
  false: "False",
  null: "None",
};

/** JSON as a literal of Python, indented for a call's arguments. */
function pythonValue(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .replaceAll(/(?<=^\s*|: )(?:true|false|null)(?=,?$)/gm, (word) => PYTHON_WORDS[word] ?? word)
    .replaceAll("\n", "\n    ");
}
