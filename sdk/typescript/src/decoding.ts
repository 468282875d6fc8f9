/** Answers to values: what the SDK itself relies on is checked, all else is passed on as it came.
 *
 * Fields that this version does not know stay in place, and texts are not checked against a list of known ones, so that an
 * older program keeps working against a newer server.
 */

import { UnexpectedAnswer } from "./errors.js";
import type { Comment, Event, Hold, Redeemed } from "./holds.js";

type Check = (value: unknown, where: string) => void;

const text = of("string");
const integer: Check = (value, where) => {
  if (!Number.isSafeInteger(value)) throw unexpected(where, "an integer", value);
};
const anything = () => undefined;
const who = object({ id: text, name: text });
const action = object({ name: text, args: object({}), target: orNull(text) });
const decision = object({ outcome: text, at: text, by: orNull(who), reason: orNull(text), items: list(anything) });
const used = orNull(object({ at: text }));
const hold = object({
  ...{ id: text, kind: text, status: text, title: text, digest: text, revision: integer, opened_by: who },
  ...{ action: orNull(action), decision: orNull(decision), redeemed: used, result: used },
});
const redeemed = object({ hold_id: text, digest: text, revision: integer, action });
const comment = object({ id: integer, by: who, text });
const event = object({ seq: integer, type: text, at: text });

export function decodeHold(value: unknown): Hold {
  hold(value, "answer");
  return value as Hold;
}

export function decodeRedeemed(value: unknown): Redeemed {
  redeemed(value, "answer");
  return value as Redeemed;
}

export function decodeComment(value: unknown): Comment {
  comment(value, "answer");
  return value as Comment;
}

export function decodeComments(value: unknown): readonly Comment[] {
  object({ comments: list(comment) })(value, "answer");
  return (value as { comments: Comment[] }).comments;
}

export function decodeEvent(value: unknown): Event {
  event(value, "event");
  return value as Event;
}

function of(type: "string"): Check {
  return (value, where) => {
    if (typeof value !== type) throw unexpected(where, type, value);
  };
}

function orNull(check: Check): Check {
  return (value, where) => {
    if (value !== null) check(value, where);
  };
}

function list(check: Check): Check {
  return (value, where) => {
    if (!Array.isArray(value)) throw unexpected(where, "a list", value);
    value.forEach((item, n) => check(item, `${where}[${n}]`));
  };
}

function object(fields: Record<string, Check>): Check {
  return (value, where) => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) throw unexpected(where, "an object", value);
    for (const [name, check] of Object.entries(fields)) {
      const found: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      if (found === undefined) {
        throw new UnexpectedAnswer(`the server's ${where} lacks \`${name}\`; is HANDRAIL_URL a Handrail server?`);
      }
      check(found, `${where}.${name}`);
    }
  };
}

function unexpected(where: string, wanted: string, value: unknown): UnexpectedAnswer {
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  return new UnexpectedAnswer(`the server's ${where} is ${found} instead of ${wanted}`);
}
