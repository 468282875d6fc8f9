/** Handrail for agents: open a hold, wait for the decision, redeem it once. */

export { digest } from "./canonical.js";
export { Handrail, type HandrailOptions, type Opening, type Reviewing, type Signalled, type Waiting } from "./client.js";
export {
  requestConfirmation,
  requestConfirmations,
  resolveConfirmation,
  resolveConfirmations,
  type BatchConfirmationResult,
  type BatchRequest,
  type ConfirmationRequest,
  type ConfirmationResult,
} from "./confirmations.js";
export * from "./errors.js";
export { gate, type Call, type GateKind, type GateOptions, type Gating } from "./gates.js";
export type * from "./holds.js";
export { responseOf } from "./holds.js";
export type { FromSchema, Standard } from "./schemas.js";
export type { Following } from "./streams.js";
export { ask, type Asking } from "./typed.js";
