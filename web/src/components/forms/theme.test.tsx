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

function shown(properties: object, required: string[] = []) {
  const send = vi.fn();
  render(<Shown schema={{ type: "object", required, properties }} onSend={send} />);
  return send;
}

const button = (name: string) => screen.getByRole("button", { name });

test("a list is added to, put in order and shortened by keyboard", async () => {
  const send = shown({ lines: { type: "array", title: "Lines", items: { type: "string", title: "Line" } } });
  expect(screen.getByText("None yet.")).toBeTruthy();
  for (const words of ["first", "second", "third"]) {
    button("Add").focus();
    await userEvent.keyboard("{Enter}");
    await userEvent.type(screen.getAllByRole("textbox").at(-1) as HTMLElement, words);
  }
  for (const name of ["Move entry 3 up", "Remove entry 1"]) {
    button(name).focus();
    await userEvent.keyboard("{Enter}");
  }
  await userEvent.click(button("Send"));
  expect(send).toHaveBeenCalledWith({ lines: ["third", "second"] });
});

test("one of several ways to answer is chosen by its name, and asks only for its own", async () => {
  const way = (title: string, field: string) => ({ title, type: "object", required: [field], properties: { [field]: { type: "string", title: field } } });
  const send = shown({ to: { title: "Recipient", oneOf: [way("A person", "name"), way("A company", "vat")] } });
  expect(screen.queryByLabelText(/vat/)).toBeNull();
  await userEvent.selectOptions(screen.getByRole("combobox"), "A company");
  expect(screen.queryByLabelText(/name/)).toBeNull();
  await userEvent.type(screen.getByLabelText(/vat/), "DE1");
  await userEvent.click(button("Send"));
  expect(send).toHaveBeenCalledWith({ to: { vat: "DE1" } });
});

test("what is wrong is said at its field, also to those who cannot see it, and nothing is sent", async () => {
  const send = shown({ reason: { type: "string", title: "Reason", minLength: 3, description: "It is recorded." }, amount: { type: "number", title: "Amount" } }, ["reason", "amount"]);
  await userEvent.type(screen.getByLabelText(/Reason/), "no");
  await userEvent.click(button("Send"));
  expect(send).not.toHaveBeenCalled();
  for (const name of [/Reason/, /Amount/]) {
    const field = screen.getByLabelText(name);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    const described = (field.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id));
    expect(described.find((one) => one?.getAttribute("role") === "alert")?.textContent).toBeTruthy();
  }
  expect(screen.getByLabelText(/Reason/).getAttribute("aria-required")).toBe("true");
});

test("several are chosen in the order in which they are offered, in a group with a name", async () => {
  const send = shown({ tags: { type: "array", title: "Tags", uniqueItems: true, items: { enum: ["urgent", "gift", "late"] } } });
  expect(screen.getByRole("group", { name: "Tags" })).toBeTruthy();
  await userEvent.click(screen.getByLabelText("late"));
  await userEvent.click(screen.getByLabelText("urgent"));
  await userEvent.click(button("Send"));
  expect(send).toHaveBeenCalledWith({ tags: ["urgent", "late"] });
});
