/** What the server is sent and answers, as it stands on the wire: generated from its OpenAPI document. */

import type { components } from "./schema.gen.js";

type Schemas = components["schemas"];

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

export type Kind = Schemas["Kind"];
export type Status = Schemas["Status"];
export type Verdict = Schemas["Verdict"];
export type Outcome = Schemas["RecordResult"]["outcome"];
export type Who = Schemas["Who"];
export type Decision = Schemas["DecisionOut"];
export type Result = Schemas["ResultOut"];
export type Redeemed = Schemas["RedeemOut"];
export type Comment = Schemas["CommentOut"];
export type ItemDecision = Schemas["ItemVerdict"];

/** A durable question to people, as it is now. Times are ISO 8601 in UTC. */
export type Hold = Schemas["HoldOut"];

/** What is to be done, and to what. `args` must be JSON. */
export interface Action {
  readonly name: string;
  readonly args?: object;
  readonly target?: string | null;
}

/** One entry of the log, such as `hold.opened`. `seq` orders all events; `actor` is null if the clock acted. */
export interface Event {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: Who | null;
  readonly hold_id: string | null;
  readonly run_id: string | null;
  readonly case_id: string | null;
  readonly kind: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Called with what people ask while a program waits; a text that it returns is the reply. */
export type OnComment = (comment: Comment) => Reply | Promise<Reply>;
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a function that returns nothing replies nothing
type Reply = string | null | undefined | void;

/** What a person said in place of yes or no, where the opener took words. Nothing was approved by it. */
export function responseOf(hold: Hold): string | null {
  const said = hold.kind === "input" || hold.status !== "answered" ? null : hold.decision?.answer;
  return typeof said === "string" ? said : null;
}
