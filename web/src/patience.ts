/** Before each file of tests: a busy machine is slow, not wrong. */
if (typeof document !== "undefined") {
  const { configure } = await import("@testing-library/react");
  configure({ asyncUtilTimeout: 30_000 });
}

export {};
