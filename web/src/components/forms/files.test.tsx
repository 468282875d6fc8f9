// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import SchemaForm from "@/components/schema-form";

afterEach(cleanup);

function Shown({ schema, onSend }: { schema: object; onSend: (data: unknown) => void }) {
  const [data, setData] = useState<unknown>();
  return <SchemaForm schema={schema} data={data} onChange={setData} onSend={onSend} sending={false} send="Send" />;
}

const ONE = { type: "object", properties: { proof: { type: "string", format: "data-url", title: "Proof" } } };
const MANY = { type: "object", properties: { proofs: { type: "array", title: "Proofs", items: { type: "string", format: "data-url" } } } };

test("a file is sent with its type, name and content", async () => {
  const send = vi.fn();
  render(<Shown schema={ONE} onSend={send} />);
  await userEvent.upload(screen.getByLabelText(/Proof: Choose a file/), new File(["hello"], "über.txt", { type: "text/plain" }));
  expect(await screen.findByText("über.txt")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(send).toHaveBeenCalledWith({ proof: "data:text/plain;name=%C3%BCber.txt;base64,aGVsbG8=" });
});

test("several are kept in order, and one can be taken out", async () => {
  const send = vi.fn();
  render(<Shown schema={MANY} onSend={send} />);
  const files = ["a", "b"].map((name) => new File([name], `${name}.txt`, { type: "text/plain" }));
  await userEvent.upload(screen.getByLabelText(/Proofs: Add files/), files);
  await userEvent.click(await screen.findByRole("button", { name: "Remove a.txt" }));
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(send).toHaveBeenCalledWith({ proofs: ["data:text/plain;name=b.txt;base64,Yg=="] });
});

test("one that no answer can hold is refused with its name, and nothing is sent of it", async () => {
  const send = vi.fn();
  render(<Shown schema={ONE} onSend={send} />);
  await userEvent.upload(screen.getByLabelText(/Proof/), new File([new Uint8Array(700_001)], "film.mp4"));
  expect((await screen.findByRole("alert")).textContent).toContain("film.mp4 is too large");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(send).toHaveBeenCalledWith({});
});
