// Prints the import edges of a folder as [[file, target], …]: every import that the TypeScript compiler resolves to a
// file of the folder.
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");

const root = fs.realpathSync(process.argv[2]);
const SOURCE = /\.[cm]?[jt]sx?$/;
const BARE = { allowJs: true, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

function* sources(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") yield* sources(file);
    else if (entry.isFile() && SOURCE.test(entry.name)) yield file;
  }
}

const configs = new Map();
function options(folder) {
  if (!configs.has(folder)) {
    const file = ts.findConfigFile(folder, ts.sys.fileExists);
    const inside = file !== undefined && file.startsWith(root + path.sep);
    const parsed = inside && ts.parseJsonConfigFileContent(ts.readConfigFile(file, ts.sys.readFile).config, ts.sys, path.dirname(file));
    const settings = parsed ? { ...parsed.options, allowJs: true } : BARE;
    configs.set(folder, [settings, ts.createModuleResolutionCache(root, (name) => name, settings)]);
  }
  return configs.get(folder);
}

// `ts.preProcessFile` overlooks `export * as name from`, so the tree is walked.
function specifiers(node, found = []) {
  const loads = ts.isCallExpression(node) && (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === "require");
  const name = loads
    ? node.arguments[0]
    : ts.isImportTypeNode(node)
      ? node.argument.literal
      : ts.isExternalModuleReference(node)
        ? node.expression
        : ts.isModuleDeclaration(node)
          ? node.name
          : node.moduleSpecifier;
  if (name && ts.isStringLiteralLike(name)) found.push(name.text);
  ts.forEachChild(node, (child) => void specifiers(child, found));
  return found;
}

const edges = [];
for (const file of sources(root)) {
  const [settings, cache] = options(path.dirname(file));
  const mode = ts.getImpliedNodeFormatForFile(file, undefined, ts.sys, settings);
  const tree = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  for (const name of specifiers(tree)) {
    const found = ts.resolveModuleName(name, file, settings, ts.sys, cache, undefined, mode).resolvedModule;
    const target = found && path.relative(root, fs.realpathSync(found.resolvedFileName));
    if (target && !target.startsWith("..") && !target.includes("node_modules") && SOURCE.test(target)) {
      edges.push([path.relative(root, file), target]);
    }
  }
}
console.log(JSON.stringify(edges));
