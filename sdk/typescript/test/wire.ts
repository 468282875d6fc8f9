/** Answers as the server gives them, and a server that gives them in turn, for tests without a network. */

import assert from "node:assert/strict";
import { Handrail, type Hold } from "../src/index.js";

export const HOLD_ID = "01890000-0000-7000-8000-000000000001";
export const AGENT = { id: "01890000-0000-7000-8000-0000000000aa", name: "agent", kind: "agent" as const };
export const ADA = { id: "01890000-0000-7000-8000-0000000000ad", name: "Ada", kind: "person" as const };
export const AT = "2026-11-02T10:00:00Z";

/** A hold on the wire; decided by Ada if it is not pending. */
export function hold(status: Hold["status"] = "pending", changes: Partial<Hold> = {}): Hold {
  const decision = { outcome: status, basis: "people" as const, by: ADA, on_behalf_of: null, grant: null, at: AT, reason: null, answer: null, items: [] };
  return {
    ...{ id: HOLD_ID, short_id: "H-1", kind: "approval", status, title: "deploy", description: null, digest: "0".repeat(64) },
    ...{ revision: 1, risk: "medium", rules: [], policy_version: 1, facts: [], task: null, items: [], schema: null },
    ...{ action: { name: "deploy", args: {}, target: null }, evidence: null, context: null, case_id: null, run_id: null },
    ...{ run_short_id: null, opened_by: AGENT, started_by: null, opened_at: AT, expires_at: null, on_expiry: "expire", takes_response: false },
    ...{ escalate_at: null, escalated_at: null, reviews: [], decision: status === "pending" ? null : decision },
    ...{ redeemed: null, result: null, may_decide: { allowed: false, reject_only: false, own_right: false, stands_in_for: [] } },
    requirements: {
      ...{ approvals: 1, roles: ["team_lead"], required: [], rejections: 1, justification: false, own_credential: false },
      ...{ passkey: false, requester_may_decide: false, stand_ins: false, grants: false },
    },
    ...changes,
  };
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

type Reply = Response | Error | ((sent: Sent) => Response | Promise<Response>);

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}

export function problem(status: number, code: string, data: object = {}, headers: Record<string, string> = {}): Response {
  return json(status, { type: "about:blank", title: code, status, code, detail: `problem ${code}`, data }, headers);
}

/** What a request meets: redeeming answers with the digest that it was asked for, as a true server does. */
export function redeems(of: Hold): Reply {
  return (sent) =>
    json(200, { hold_id: of.id, digest: sent.body["digest"], revision: of.revision, action: of.action, redeemed_at: AT });
}

/** As node's own `fetch` fails. */
export function lost(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`${code} 127.0.0.1:1`), { code }) });
}

/** A client, and what it sent; the answers come in turn. */
export function client(...replies: Reply[]): { client: Handrail; sent: Sent[]; said: string[] } {
  const sent: Sent[] = [];
  const said: string[] = [];
  const fetch = async (address: string, init: RequestInit): Promise<Response> => {
    init.signal?.throwIfAborted();
    const url = new URL(address);
    const body = init.body === undefined ? {} : (JSON.parse(init.body as string) as Record<string, unknown>);
    const headers = init.headers as Record<string, string>;
    const one = { method: init.method ?? "", path: url.pathname, query: url.searchParams, headers, body };
    sent.push(one);
    const reply = replies.shift();
    assert(reply !== undefined, `nothing was to be sent after ${sent.length - 1} requests: ${one.method} ${one.path}`);
    if (reply instanceof Error) throw reply;
    return typeof reply === "function" ? reply(one) : reply;
  };
  const log = (message: string) => void said.push(message);
  return { client: new Handrail({ url: "http://handrail.test", token: "hr_test", fetch, log }), sent, said };
}
