import { fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Records what a client sent and what was confirmed. With a folder, every line is synced to disk before the next step, so that
 * a failed stress test can be examined.
 */
export class Ledger {
  readonly #sent = new Map<string, number | undefined>();
  readonly #open = new Set<string>();
  readonly #file: number | undefined;
  #last: readonly [key: string, id: number] = ['', 0];
  /** How many entries were sent again. */
  retried = 0;

  constructor(folder?: string) {
    this.#file = folder === undefined ? undefined : openSync(join(folder, 'ledger.txt'), 'a');
  }

  /** The number of different entries sent. */
  get size(): number {
    return this.#sent.size;
  }

  /** Call before an entry is sent. */
  attempted(key: string): void {
    this.#note(`sending ${key}`);
    this.#sent.set(key, undefined);
    this.#open.add(key);
  }

  /** Call when the reply has arrived. */
  confirmed(key: string, id: number): void {
    this.#note(`confirmed ${key} ${id}`);
    this.#sent.set(key, id);
    this.#open.delete(key);
    this.#last = [key, id];
  }

  wasAttempted(key: string): boolean {
    return this.#sent.has(key);
  }

  /** The keys that may or may not be stored, which must be sent again. */
  unconfirmed(): readonly string[] {
    this.retried += this.#open.size;
    return [...this.#open];
  }

  /** The confirmed keys with this prefix, each with its entry's id. */
  confirmations(prefix: string): (readonly [key: string, id: number])[] {
    return [...this.#sent].flatMap(([key, id]) =>
      id !== undefined && key.startsWith(prefix) ? [[key, id] as const] : [],
    );
  }

  /** The latest confirmation. */
  last(): readonly [key: string, id: number] {
    return this.#last;
  }

  #note(line: string): void {
    if (this.#file === undefined) return;
    writeSync(this.#file, `${line}\n`);
    fsyncSync(this.#file);
  }
}
