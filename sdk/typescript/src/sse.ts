/** Server-sent events: bytes as they come in, messages as they are complete. */

/** Takes chunks cut anywhere, also within a character or a line end. What is incomplete at the end is dropped.
 *
 * `lastId` is the id of the last complete block, also if the block was an id and nothing else.
 */
export class Parser {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #afterReturn = false;
  #id: string;
  #data: string[] = [];

  constructor(public lastId = "") {
    this.#id = lastId;
  }

  /** The data of each message that is now complete. */
  *feed(chunk: Uint8Array): Generator<string> {
    for (const line of this.#lines(this.#decoder.decode(chunk, { stream: true }))) {
      if (line !== "") this.#take(line);
      else yield* this.#dispatch();
    }
  }

  #lines(text: string): string[] {
    // of "\r\n" the return ends the line at once, so that the last message is never held back for its newline
    if (text !== "" && this.#afterReturn) {
      if (text.startsWith("\n")) text = text.slice(1);
      this.#afterReturn = false;
    }
    this.#afterReturn ||= text.endsWith("\r");
    const lines = (this.#rest + text.replace(/\r\n?/g, "\n")).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines;
  }

  #take(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
  }

  *#dispatch(): Generator<string> {
    const data = this.#data;
    this.#data = [];
    this.lastId = this.#id;
    if (data.length > 0) yield data.join("\n");
  }
}
