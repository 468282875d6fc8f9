/** Written by `make schema` from the catalogue of events. Do not edit. */

/** The data of each event. Of one whose data the log no longer keeps, nothing is left. */
export interface EventData {
  "absence.ended": { id: string; person: string; stand_in: string; cause: "returned" | "declined" | "administrator" | "deactivated"; reason: string | null };
  "absence.set": { id: string; person: string; stand_in: string; starts_at: string; ends_at: string; levels: ("low" | "medium" | "high" | "critical")[]; actions: string[]; cases: string[]; reason: string | null };
  "account.linked": { link_id: string; channel: string };
  "account.unlinked": { link_id: string; channel: string };
  "agent.enforced": { agent: string; reason: string | null };
  "agent.observed": { agent: string; reason: string | null };
  "audit.erased": { principal: string; entries: Record<string, string>; signed_by: string; signature: string };
  "audit.key_rotated": { key_id: string; public_key: string; signed_by: string; signature: string };
  "audit.pruned": { until: number; signed_by: string; signature: string };
  "backup.restored": { until: number; tokens: number; sessions: number; links: number };
  "brake.lifted": { agent: string | null; reason: string | null };
  "brake.set": { agent: string | null; pending: "freeze" | "deny"; reason: string | null };
  "change.answered": { content: string };
  "change.approval_kept": { hold_id: string; from: string; to: string; commit: string; diff_sha256: string; verified: string };
  "change.checked": { tree: string; tool: string; outcome: string; summary: Record<string, unknown>; output?: string };
  "change.committed": { branch: string; commit: string; messages: string[] };
  "change.diffed": { files: Record<string, unknown>[]; added: number; deleted: number };
  "change.edited": { path: string; hash: string | null; diff: string; truncated?: boolean };
  "change.mapped": { modules: string[]; total: number; skipped: number };
  "change.planned": { plan: Record<string, unknown>; digest: string };
  "change.prepared": { environment: Record<string, unknown>; fetched: boolean };
  "change.published": { branch: string; commit: string; url: string | null };
  "change.rebased": { branch: string; from: string; to: string };
  "change.refused": { tool: string; code: string; message: string };
  "change.stage_began": { stage: string; attempt?: number; prompt?: string };
  "change.tested": { tree: string; tool: string; test: string; outcome: string; seconds: number | null; message?: string };
  "change.understood": { intent: Record<string, unknown> };
  "change.verified": { verification: Record<string, unknown> };
  "change.weighed": { impact: Record<string, unknown> };
  "delivery.delivered": { delivery_id: string; channel: string; event: string; route: string; people: string[] };
  "delivery.failed": { delivery_id: string; channel: string; event: string; route: string; people: string[]; error: string; next_channel: string | null };
  "delivery.outdated": { message_id: string; channel: string; error: string };
  "delivery.overtaken": { delivery_id: string; channel: string; event: string; route: string; people: string[] };
  "delivery.retried": { delivery_id: string };
  "effect.completed": { name: string };
  "effect.reserved": { name: string; key: string; since: string };
  "effect.unknown": { name: string; key: string; since: string };
  "grant.ended": { grant: string; cause: "revoked" | "owner"; reason: string | null; uses: number };
  "grant.proposed": { grant: string; like: string; terms: Record<string, unknown>; digest: string };
  "hold.amended": { revision: number; digest: string; previous_digest: string; changes: Record<string, unknown>[]; reason: string | null; counts_as_approval: boolean; on_behalf_of?: string; credential: { kind: "token" | "session" | "link"; id: string; scopes: string[]; made_by: string | null; own_since: string | null; lent_by: string | null } | null; pack?: string; risk: "low" | "medium" | "high" | "critical"; rules: string[]; policy_version: number };
  "hold.assigned": { person: string };
  "hold.commented": { comment_id: number; text: string | null; reply_to: number | null };
  "hold.decided": { outcome: "pending" | "approved" | "rejected" | "answered" | "expired" | "cancelled"; basis: "people" | "policy" | "expiry" | "requester" | "brake" | "observation" | "grant"; digest: string; revision: number; reason: string | null; answer: unknown; items: ({ item_id: string; approved: boolean; reason: string | null })[]; approvers: string[]; on_behalf_of?: string; grant?: string };
  "hold.escalated": { added_roles: string[]; digest: string; expires_at: string | null };
  "hold.opened": { digest: string; risk: "low" | "medium" | "high" | "critical"; rules: string[]; policy_version: number };
  "hold.redeemed": { digest: string };
  "hold.released": {  };
  "hold.reminded": { expires_at: string };
  "hold.reopened": { cause: "withdrawn" | "policy" | "standing" | "enforced" | "grant" | "record" | "restored"; digest: string; why?: string[]; risk?: "low" | "medium" | "high" | "critical"; rules?: string[]; policy_version?: number };
  "hold.resulted": { outcome: "succeeded" | "failed" | "unknown"; detail: unknown; digest: string };
  "hold.reviewed": { verdict: "approve" | "reject" | "answer" | "amend" | "respond"; reason: string | null; roles: string[]; on_behalf_of?: string; credential: { kind: "token" | "session" | "link"; id: string; scopes: string[]; made_by: string | null; own_since: string | null; lent_by: string | null } | null; signature?: { passkey: string; public_key: string; client_data: string; authenticator_data: string; signature: string; nonce: string; party: string }; digest: string; revision: number; approvals: number; approvals_needed: number; pack?: string };
  "hold.sampled": { finding: boolean; reason: string | null; digest: string };
  "hold.warned": { sign: "browser" | "authenticator" | "account"; people: string[]; channel: string | null };
  "hold.withdrawn": { digest: string; reason: string | null; given_by?: string };
  "link.made": { principal: string; expires_at: string };
  "message.completed": { message_id: string; attempt: number; role: string; node: string | null; content: string; reasoning?: string; tool_calls?: Record<string, unknown>[] };
  "message.discarded": { message_id: string; attempt: number };
  "notifications.chosen": { channels: string[] | null; quiet: boolean };
  "person.added": { id: string; name: string; kind: "person" | "service" | "agent"; roles: string[] };
  "person.changed": { id: string; name: string; roles: string[]; active: boolean; roles_before: string[]; active_before: boolean; trusted_claims: boolean; trusted_claims_before: boolean; email_changed: boolean; password_changed: boolean };
  "person.passkey_added": { id: string; passkey: string; public_key: string; party: string; label: string | null; signs_from: string; credential: { kind: "token" | "session" | "link"; id: string; scopes: string[]; made_by: string | null; own_since: string | null; lent_by: string | null } | null };
  "person.passkey_removed": { id: string; passkey: string; label: string | null; credential: { kind: "token" | "session" | "link"; id: string; scopes: string[]; made_by: string | null; own_since: string | null; lent_by: string | null } | null };
  "person.password_set": { id: string; name: string; credential: { kind: "token" | "session" | "link"; id: string; scopes: string[]; made_by: string | null; own_since: string | null; lent_by: string | null } };
  "person.sso_ended": { id: string; provider: string; cause: string; sessions: number };
  "person.sso_linked": { id: string; provider: string; issuer: string; subject: string | null };
  "person.sso_roles_changed": { id: string; provider: string; roles: string[]; roles_before: string[] };
  "policy.applied": { version: number; sha256: string; reason: string | null; changes: string[] };
  "push.added": { device_id: string; label: string | null };
  "push.removed": { device_id: string; person: string };
  "run.cancelled": { by: string | null; reason: string | null; hold_id?: string; braked?: boolean };
  "run.completed": { result: unknown; truncated?: boolean };
  "run.expired": { reason: string | null; hold_id: string | null };
  "run.failed": { code: string; message: string; node?: string; traceback?: string; hold_id?: string };
  "run.graph_changed": { from: string | null; to: string | null };
  "run.paused": { holds: string[]; braked?: boolean };
  "run.progressed": { message: string; done: number; total: number; detail: Record<string, unknown> | null };
  "run.resumed": { holds: string[] };
  "run.retried": { by: string; failure: Record<string, unknown> | null };
  "run.started": { workflow: string; mode: string | null };
  "run.step_completed": { step: number; node: string; task: string; namespace: string; update: unknown; truncated?: boolean };
  "run.tool_called": { name: string; call_id: string | null; args: unknown; truncated?: boolean };
  "run.tool_returned": { name: string | null; call_id: string | null; content: unknown; truncated?: boolean; failed?: boolean };
  "session.break_glass": { how: "password" | "link" | "sso" | "passkey"; credential: { kind: "token" | "session" | "link"; id: string; scopes: string[]; made_by: string | null; own_since: string | null; lent_by: string | null } | null };
  "session.signed_in": { how: "password" | "link" | "sso" | "passkey"; credential: { kind: "token" | "session" | "link"; id: string; scopes: string[]; made_by: string | null; own_since: string | null; lent_by: string | null } | null };
  "session.signed_out": { sessions: number };
  "skill.deleted": { skill: string };
  "sso.refused": { provider: string; subject: string | null; code: string };
  "token.changed": { id: string; principal: string; label: string | null; scopes: string[]; expires_at: string | null };
  "token.made": { id: string; principal: string; label: string | null; scopes: string[]; expires_at: string | null };
  "token.revoked": { id: string; principal: string; label: string | null; scopes: string[]; expires_at: string | null };
}

export interface Envelope {
  seq: number;
  at: string;
  actor: { id: string; name: string; kind: string } | null;
  hold_id: string | null;
  run_id: string | null;
  case_id: string | null;
  kind: string | null;
}

/** One event of the log. Newer servers may send others: ignore them. */
export type Entry = { [T in keyof EventData]: Envelope & { type: T; data: Partial<EventData[T]> } }[keyof EventData];

/** A part of a run's story: what happened, and how it reads. */
export type StoryPart =
  | { is: "message"; words: string; message_id: string; attempt: number; role: string; node: string | null; content: string; reasoning: string | null; tool_calls: Record<string, unknown>[] }
  | { is: "retraction"; words: string; message_id: string; attempt: number }
  | { is: "call"; words: string; name: string; call_id: string | null; args: unknown; truncated: boolean }
  | { is: "return"; words: string; name: string | null; call_id: string | null; content: unknown; failed: boolean; truncated: boolean }
  | { is: "step"; words: string; step: number; node: string; namespace: string; update: unknown; truncated: boolean }
  | { is: "stage"; words: string; name: string }
  | { is: "progress"; words: string; message: string; done: number; total: number; detail: Record<string, unknown> | null }
  | { is: "file"; words: string; path: string; diff: string }
  | { is: "test"; words: string; name: string; outcome: "passed" | "failed" | "skipped"; seconds: number | null; message: string | null }
  | { is: "effect"; words: string; name: string; state: "reserved" | "completed" | "unknown" }
  | { is: "question"; words: string; cause: "opened" | "amended" | "reopened"; digest: string; risk: "low" | "medium" | "high" | "critical" | null; reason: string | null }
  | { is: "decision"; words: string; digest: string; outcome: "pending" | "approved" | "rejected" | "answered" | "expired" | "cancelled"; basis: "people" | "policy" | "expiry" | "requester" | "brake" | "observation" | "grant"; reason: string | null; answer: unknown; items: ({ item_id: string; approved: boolean; reason: string | null })[] }
  | { is: "hold_note"; words: string; text: string; reason: string | null }
  | { is: "start"; words: string; workflow: string; mode: string | null }
  | { is: "pause"; words: string; holds: string[]; braked: boolean }
  | { is: "resumption"; words: string; holds: string[] }
  | { is: "retry"; words: string }
  | { is: "end"; words: string; status: "queued" | "running" | "paused" | "completed" | "failed" | "cancelled" | "expired"; reason: string | null; code: string | null; node: string | null; hold_id: string | null; braked: boolean; result: unknown }
  | { is: "note"; words: string; text: string }
  | { is: "gap"; words: string; what: string }
;

/** One event of a run, as the part of the story that it is. */
export type Told = Envelope & { type: keyof EventData; story: StoryPart };
