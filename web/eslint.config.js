import js from "@eslint/js";
import importX from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import { readdirSync } from "node:fs";
import tseslint from "typescript-eslint";

// shared (api, lib, components) → features → app; no feature imports another
const features = readdirSync("src/features");
const zones = [
  { target: ["./src/lib", "./src/components", "./src/api"], from: ["./src/features", "./src/app"] },
  { target: "./src/features", from: "./src/app" },
  { target: "./src/lib", from: "./src/components" },
  ...features.map((name) => ({
    target: `./src/features/${name}`,
    from: "./src/features",
    except: [`./${name}`],
    message: "Features do not import each other: share through lib or components, or compose in app.",
  })),
];

export default tseslint.config(
  { ignores: ["src/api/*.gen.ts", "public"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ["eslint.config.js"] } } },
    plugins: { "import-x": importX, "react-hooks": reactHooks },
    settings: { "import-x/resolver-next": [importX.createNodeResolver({ extensions: [".ts", ".tsx"], tsconfig: undefined, alias: { "@": ["./src"] } })] },
    rules: {
      ...reactHooks.configs.recommended.rules,
      "import-x/no-restricted-paths": ["error", { zones }],
      "import-x/no-cycle": "error",
      "react-hooks/incompatible-library": "off",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": "off",
      "no-restricted-properties": [
        "error",
        { object: "window", property: "localStorage", message: "Nothing secret may rest there: use lib/theme or lib/drafts." },
      ],
    },
  },
);
