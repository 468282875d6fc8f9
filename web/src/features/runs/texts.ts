/** The words of a run's picture, its steps and its scrubber. */
import { plural, span } from "@/lib/format";

const length = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : span(ms));

export const TEXTS = {
  length,
  graph: {
    title: "Where it is",
    states: { done: "done", here: "running", waits: "waiting for people", failed: "failed", ahead: "not reached" },
    node: (name: string, state: string, visits: number, took: number) => `${name}: ${state}${visits > 0 ? `, ${plural(visits, "time")}, ${length(took)} at work` : ""}`,
    brief: (visits: number, took: number) => (visits > 1 ? `${visits}× · ${length(took)}` : length(took)),
    said: (nodes: string[]) => nodes.join("; "),
    changed: "The workflow has changed since this run started; this is its present graph.",
    summary: (done: number, all: number, waited: number) => `${done} of ${plural(all, "node")} visited${waited > 0 ? `; waited ${length(waited)} for people` : ""}.`,
  },
  scrub: {
    label: "Moment of the story",
    start: "the beginning",
    at: (index: number, count: number, what: string, when: string) => `${index} of ${count}: ${what}, ${when}`,
    back: "One step back",
    on: "One step on",
    play: "Play",
    pause: "Pause",
    now: "To the end",
    past: "You are looking at an earlier moment of this run.",
  },
  steps: {
    title: "Steps by node",
    visits: (visits: number, took: number) => `${plural(visits, "time")}, ${length(took)}`,
    visit: (step: number, took: number) => `Step ${step}, ${length(took)}`,
    nothing: "It changed nothing.",
    cut: "Too long to be shown in full: this is its beginning.",
    waited: (ms: number) => `Waited ${length(ms)} for people in all.`,
  },
  from: (id: string) => `The input is that of ${id}. Change what should be different.`,
  entry: {
    message: "a model spoke",
    tool: (name: string) => `tool ${name}`,
    hold: "people were asked",
    step: (node: string) => `${node} ended`,
    effect: (name: string) => `external call ${name}`,
    file: (path: string) => `changed ${path}`,
    test: (name: string) => `test ${name}`,
  },
};
