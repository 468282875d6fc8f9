// the SDK for TypeScript, which has no tools of its own; runs in sdk/typescript
import js from "@eslint/js";
import importX from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

const rules = {
  "@typescript-eslint/no-explicit-any": "error",
  "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
  "@typescript-eslint/no-confusing-void-expression": "off",
  // an error may be anything that a caller's own code threw
  "@typescript-eslint/only-throw-error": "off",
  "@typescript-eslint/prefer-promise-reject-errors": "off",
};

export default tseslint.config(
  { ignores: ["src/schema.gen.ts", "dist", "build"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    files: ["src/**"],
    languageOptions: { parserOptions: { project: "tsconfig.json", tsconfigRootDir: `${import.meta.dirname}/../sdk/typescript` } },
    plugins: { "import-x": importX },
    rules: {
      ...rules,
      // browsers have nothing of node, and there are no dependencies
      "no-restricted-imports": ["error", { patterns: [{ regex: "^[^.]", message: "The SDK imports nothing but itself." }] }],
      "import-x/extensions": ["error", "always", { ts: "never" }],
    },
  },
  {
    files: ["test/**"],
    languageOptions: { parserOptions: { project: "tsconfig.test.json", tsconfigRootDir: `${import.meta.dirname}/../sdk/typescript` } },
    rules: {
      ...rules,
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [{ from: "package", name: "test", package: "node:test" }] }],
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
);
