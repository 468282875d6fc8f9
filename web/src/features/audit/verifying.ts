/** Whether a log is whole: reads an export line by line and names what is wrong and where. The server's own program,
 * `handrail audit verify`, does the same and more: passkeys, stand-ins, and heads that were kept elsewhere. */
import { genesis, hashOfData, hashOfText, isComplete, keyId, link, sealSigned, stated, type Entry, type SealRecord } from "@/features/audit/proof";
import { TEXTS } from "@/features/audit/texts";

const WORDS = TEXTS.verifying;

export type Wrong = "changed" | "unlinked" | "missing" | "reordered" | "truncated" | "inserted" | "rewritten" | "unsealed" | "seal_missing" | "bad_signature" | "unknown_key" | "erased" | "unreadable";

export interface Fault {
  wrong: Wrong;
  seq: number;
}

export interface Report {
  entries: number;
  last: number;
  seals: number;
  sealed: number;
  /** Everything up to here is as it was recorded. */
  proven: number;
  erased: number;
  pruned: number;
  waiting: number;
  /** Of the keys whose good seals it bears. */
  keys: string[];
  faults: Fault[];
}

type Other = { record: "header"; version: number; after: number } | { record: "end"; seq: number; waiting: number };
type Line = Entry | SealRecord | Other;

const MOST_FAULTS = 100;
const PRUNED = "{}";

/** `trusted` are raw public keys in hex: the first seal must be of one; the log itself names those that follow. */
export class Verification {
  private previous: string | null = null;
  private faults: Fault[] = [];
  private firstFault: number | null = null;
  private last = 0;
  private entries = 0;
  private seals = 0;
  private sealed = 0;
  private blamed = false;
  private ended = false;
  private waiting = 0;
  private current: string | null = null;
  private following: string | null = null;
  private emptied = new Map<number, string>();
  private erased = 0;
  private pruned = 0;
  private sealedBy = new Set<string>();
  private readonly known = new Map<string, string>();

  private constructor(private readonly trusted: readonly string[]) {}

  static async with(trusted: readonly string[]): Promise<Verification> {
    const made = new Verification(trusted);
    made.previous = await genesis();
    for (const key of trusted) made.known.set(await keyId(key), key);
    return made;
  }

  async take(line: string): Promise<void> {
    try {
      const record = JSON.parse(line) as Line;
      if (record.record === "entry") await this.entry(record);
      else if (record.record === "seal") await this.seal(record);
      else if (record.record === "header" && this.entries === 0) this.header(record);
      else if (record.record === "end" && !this.ended) this.end(record);
      else throw new Error(WORDS.outOfPlace);
    } catch {
      this.fault("unreadable", this.last + 1);
    }
  }

  get soFar(): Progress {
    return { entries: this.entries, seals: this.seals };
  }

  report(): Report {
    if (!this.ended) this.fault("truncated", this.last + 1);
    if (this.last > this.sealed) this.fault("unsealed", this.sealed + 1);
    for (const seq of this.emptied.keys()) this.fault("erased", seq);
    const faults = [...this.faults].sort((a, b) => a.seq - b.seq);
    const proven = this.firstFault === null ? this.sealed : Math.min(this.firstFault, (faults[0]?.seq ?? 1) - 1);
    const { entries, last, seals, sealed, erased, pruned, waiting } = this;
    return { entries, last, seals, sealed, proven, erased, pruned, waiting, keys: [...this.sealedBy], faults };
  }

  private fault(wrong: Wrong, seq: number): void {
    this.blamed = true;
    this.firstFault ??= this.sealed;
    if (this.faults.length < MOST_FAULTS) this.faults.push({ wrong, seq });
  }

  private header(record: { version: number; after: number }): void {
    if (record.version !== 1 || record.after !== 0) throw new Error(WORDS.anotherPartOrVersion);
  }

  private async entry(entry: Entry): Promise<void> {
    if (!isComplete(entry)) throw new Error(WORDS.fieldsAreMissing);
    this.entries += 1;
    if (entry.seq <= this.last) {
      this.fault("reordered", entry.seq);
      return;
    }
    this.expect(entry.seq);
    if (this.previous !== null && (await link(this.previous, entry)) !== entry.hash) this.fault("unlinked", entry.seq);
    if (entry.salt === null) this.emptied.set(entry.seq, await hashOfText(entry.data));
    else if ((await hashOfData(entry)) !== entry.data_hash) this.fault("changed", entry.seq);
    this.last = entry.seq;
    this.previous = entry.hash;
    if (entry.type === "audit.key_rotated") await this.rotation(entry);
    else if (entry.type === "audit.erased") await this.erasure(entry);
    else if (entry.type === "audit.pruned") await this.pruning(entry);
  }

  private expect(seq: number): void {
    if (seq <= this.last + 1) return;
    this.fault("missing", this.last + 1);
    this.previous = null;
  }

  private async seal(seal: SealRecord): Promise<void> {
    const place = Math.min(this.sealed + 1, seal.seq);
    if (seal.number !== this.seals + 1) this.fault("seal_missing", place);
    this.seals = seal.number;
    const key = this.known.get(seal.key_id);
    const may = this.current === null ? this.trusted : [this.current];
    if (key === undefined || !may.includes(key)) return this.fault("unknown_key", place);
    if (!(await sealSigned(key, seal))) return this.fault("bad_signature", place);
    if (seal.seq < this.last) return this.fault("reordered", seal.seq);
    this.expect(seal.seq + 1);
    if (!this.blamed && this.previous !== seal.hash) this.fault("rewritten", place);
    this.last = Math.max(this.last, seal.seq);
    this.previous = seal.hash;
    this.sealed = seal.seq;
    this.blamed = false;
    this.sealedBy.add(seal.key_id);
    this.current = this.following ?? key;
    this.following = null;
  }

  /** A new key: brought in by the one in use, or by itself where it is trusted anyway. */
  private async rotation(entry: Entry): Promise<void> {
    const data = JSON.parse(entry.data) as Record<string, unknown>;
    const key = String(data["public_key"]);
    const may = this.current === null ? this.trusted : [this.current];
    const byOld = await this.statedByAny(entry.type, data, may);
    if (!byOld && !(this.trusted.includes(key) && (await stated(entry.type, data, key)))) return this.fault("bad_signature", entry.seq);
    this.known.set(await keyId(key), key);
    if (byOld) this.following = key;
    else this.current = key;
  }

  private async erasure(entry: Entry): Promise<void> {
    const data = JSON.parse(entry.data) as Record<string, unknown>;
    if (!(await this.statedByAny(entry.type, data, [...this.known.values()]))) return this.fault("bad_signature", entry.seq);
    for (const [seq, hash] of Object.entries(data["entries"] as Record<string, string>)) {
      if (this.emptied.get(Number(seq)) !== hash) continue;
      this.emptied.delete(Number(seq));
      this.erased += 1;
    }
  }

  private async pruning(entry: Entry): Promise<void> {
    const data = JSON.parse(entry.data) as Record<string, unknown>;
    if (!(await this.statedByAny(entry.type, data, [...this.known.values()]))) return this.fault("bad_signature", entry.seq);
    const empty = await hashOfText(PRUNED);
    for (const [seq, hash] of this.emptied) {
      if (seq > Number(data["until"]) || hash !== empty) continue;
      this.emptied.delete(seq);
      this.pruned += 1;
    }
  }

  private async statedByAny(type: string, data: Record<string, unknown>, may: readonly string[]): Promise<boolean> {
    for (const key of may) if (await stated(type, data, key)) return true;
    return false;
  }

  private end(record: { seq: number; waiting: number }): void {
    this.ended = true;
    this.waiting = record.waiting;
    if (record.seq > this.last) this.fault("truncated", this.last + 1);
    else if (record.seq < this.last) this.fault("inserted", record.seq + 1);
  }
}

export interface Progress {
  entries: number;
  seals: number;
}

/** Takes the lines of a stream as they come; tells how far it is from time to time. */
export async function verifyStream(stream: ReadableStream<Uint8Array>, trusted: readonly string[], onProgress: (soFar: Progress) => void, signal: AbortSignal): Promise<Report> {
  const verification = await Verification.with(trusted);
  const reader = stream.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  let told = 0;
  for (;;) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) if (line !== "") await verification.take(line);
    const soFar = verification.soFar;
    if (soFar.entries - told >= 200 || done) {
      told = soFar.entries;
      onProgress(soFar);
    }
    if (done) return verification.report();
  }
}
