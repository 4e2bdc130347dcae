/** Rules of this project alone, as a plug-in of oxlint. */

const isOfTypes = ({ importKind, exportKind, specifiers = [] }) =>
  (importKind ?? exportKind) === "type" ||
  (specifiers.length > 0 &&
    specifiers.every((each) => (each.importKind ?? each.exportKind) === "type"));

/** What a folder does not import. Oxlint's own no-restricted-imports knows no look-ahead, and no `import()`. */
const boundary = {
  meta: {
    schema: [
      {
        type: "object",
        properties: {
          regex: { type: "string" },
          message: { type: "string" },
          allowTypeImports: { type: "boolean" },
        },
        required: ["regex", "message"],
        additionalProperties: false,
      },
    ],
  },
  create(context) {
    const [{ regex, message, allowTypeImports = false }] = context.options;
    const forbidden = new RegExp(regex, "u");
    const check = (node) => {
      const path = node.source?.value;
      if (typeof path !== "string" || !forbidden.test(path)) return;
      if (allowTypeImports && isOfTypes(node)) return;
      context.report({ node, message: `${path}: ${message}` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** Reports `message` at each piece of text in the source, quoted or in a template, that `isBad` says so of. */
const onText = (message, isBad) => ({
  create: (context) => ({
    Literal(node) {
      if (typeof node.value === "string" && isBad(node.value)) context.report({ node, message });
    },
    TemplateElement(node) {
      if (isBad(node.value.raw)) context.report({ node, message });
    },
  }),
});

const UP = /^\.\./;

/** A path in a string is an import that nobody sees. */
const noPathInString = {
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.name !== "URL") return;
      for (const argument of node.arguments) {
        const text = argument.quasis?.[0].value.raw ?? argument.value;
        if (typeof text !== "string" || !UP.test(text)) continue;
        context.report({
          node: argument,
          message:
            "A folder of services/ never reaches into another by a path: import it, or take the folder from config.",
        });
      }
    },
  }),
};

const SQL =
  /^\s*(select|insert into|update [a-z_]+\.[a-z_]+|delete from|with [a-z_]+ as|notify|listen) /;

/** SQL is read where it is kept: in store/. */
const noSql = onText("SQL belongs in a store/ folder.", (text) => SQL.test(text));

const ABOVE_TEN = /\$(1[1-9]|[2-9]\d|\d{3})/;

/** Nobody counts parameters: rows go into a statement as one, which names its columns. */
const noManyParameters = onText(
  "A statement has at most ten parameters: give rows as one (platform/db/recordset.ts).",
  (text) => ABOVE_TEN.test(text),
);

/** A number that is put together from `$` and something else. */
const noComputedParameters = {
  create(context) {
    const message =
      "A parameter's number is not computed: bind what is optional (platform/db/bound-values.ts).";
    return {
      TemplateElement(node) {
        if (!node.tail && node.value.raw.endsWith("$")) context.report({ node, message });
      },
      BinaryExpression({ operator, left }) {
        if (operator !== "+" || typeof left.value !== "string" || !left.value.endsWith("$")) return;
        context.report({ node: left, message });
      },
    };
  },
};

export default {
  meta: { name: "porting" },
  rules: {
    boundary,
    "no-path-in-string": noPathInString,
    "no-sql": noSql,
    "no-many-parameters": noManyParameters,
    "no-computed-parameters": noComputedParameters,
  },
};
