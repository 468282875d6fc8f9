// The syntax errors of sources, by TypeScript's own parser: `node typescript.cjs <typescript.js>`, with
// [[path, text], …] as a line of JSON on stdin, and a line for each. A program of one file, without libraries and without resolving imports, also reports
// type annotations in plain JavaScript, which the bare parser does not.
const ts = require(process.argv[2]);

function problem([path, text]) {
  const name = "/" + path;
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const host = {
    getSourceFile: (asked) => (asked === name ? file : undefined),
    fileExists: (asked) => asked === name,
    readFile: () => undefined,
    writeFile: () => {},
    getDefaultLibFileName: () => "lib.d.ts",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (asked) => asked,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
  };
  const options = { allowJs: true, noLib: true, noResolve: true, types: [], jsx: ts.JsxEmit.Preserve };
  const found = ts.createProgram([name], options, host).getSyntacticDiagnostics(file);
  if (found.length === 0) return null;
  const line = file.getLineAndCharacterOfPosition(found[0].start ?? 0).line + 1;
  return [line, ts.flattenDiagnosticMessageText(found[0].messageText, " "), found.length];
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(JSON.stringify(JSON.parse(line).map(problem)) + "\n"));
