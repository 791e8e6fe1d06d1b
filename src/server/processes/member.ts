import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { listened } from '../listened.ts';
import { PLACE, type Place, type Refused, type ToPrimary, type ToProcess } from './words.ts';

/** A start takes so long at most; one that migrates may take longer. */
const PREPARED_WITHIN_MS = 300_000;
const READY_WITHIN_MS = 120_000;
/** A process that was told to stop ends within 10 s, unless it hangs. */
const STOPS_WITHIN_MS = 10_500;
/** So long the requests that it has may take, and then its stop. */
const LEAVES_WITHIN_MS = 135_000;

/** How a process ended, in words, and what it had said about it. */
export type Ending = Readonly<{
  how: string;
  code: number | null;
  refused: Refused | undefined;
  /** Whether it had served. */
  wasReady: boolean;
}>;

/** It ended, or hung, before it was ready. */
export class StartFailed extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.refused === undefined ? `it ${ending.how}` : ending.how);
    this.ending = ending;
  }
}

/** A process of the server, as the one that started it sees it. */
export class Member {
  readonly number: number;
  readonly bornAt = performance.now();
  readonly ended: Promise<Ending>;
  isReady = false;
  /** Whether it was told to listen. */
  isListening = false;
  hasJobs = false;
  isLeaving = false;
  readonly #worker: Worker;
  readonly #prepared = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  #refused: Readonly<{ refused: Refused; why: string }> | undefined;

  /** `heard` gets what is not about its start. */
  constructor(place: Place, heard: (member: Member, words: ToPrimary) => void) {
    this.number = place.number;
    // What cannot be told any more is known by its end.
    this.#worker = listened(cluster.fork({ [PLACE]: JSON.stringify(place) }));
    this.#worker.on('message', (words: ToPrimary) => {
      if ('isPrepared' in words) this.#prepared.resolve();
      else if ('refused' in words) this.#refused = words;
      else if ('hasJobs' in words) this.hasJobs = words.hasJobs;
      else if ('isReady' in words) this.isReady = true;
      heard(this, words);
      if ('isReady' in words) this.#ready.resolve();
    });
    const letGo = holdingLast(this.#worker.process);
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#worker.once('exit', (code: number | null, signal: string | null) => {
      const wasReady = this.isReady;
      [this.isReady, this.hasJobs] = [false, false];
      const how = this.#refused?.why ?? (signal ? `was ended by ${signal}` : `ended with exit code ${code}`);
      const over = () => {
        letGo();
        resolve({ how, code, refused: this.#refused?.refused, wasReady });
      };
      // Until its channel is closed too, it holds the port, and may have said something that was not heard yet.
      if (this.#worker.isConnected()) this.#worker.once('disconnect', over);
      else over();
    });
  }

  /** Waits until it could listen. Throws `StartFailed`. `isFirst` may migrate for as long as that takes. */
  prepared({ isFirst = false } = {}): Promise<void> {
    return this.#reached(this.#prepared.promise, isFirst ? undefined : PREPARED_WITHIN_MS);
  }

  /** Has it listen, and waits until it serves. Throws `StartFailed`. */
  listen(port: number): Promise<void> {
    this.isListening = true;
    this.tell({ listen: { port } });
    return this.#reached(this.#ready.promise, READY_WITHIN_MS);
  }

  tell(words: ToProcess): void {
    if (this.#worker.isConnected()) this.#worker.send(words, () => undefined);
  }

  /** Has it end once the requests that it has are answered; one that serves nobody yet ends at once. */
  leave(): void {
    this.isLeaving = true;
    if (this.isReady) {
      this.tell({ leave: true });
      this.#killAfter(LEAVES_WITHIN_MS);
    } else this.stop();
  }

  /** Has it end within seconds. */
  stop(): void {
    this.isLeaving = true;
    this.#worker.process.kill('SIGTERM');
    this.#killAfter(STOPS_WITHIN_MS);
  }

  #killAfter(milliseconds: number): void {
    const timer = setTimeout(() => this.#worker.process.kill('SIGKILL'), milliseconds);
    void this.ended.then(() => clearTimeout(timer));
  }

  async #reached(step: Promise<void>, withinMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      if (withinMs === undefined) return;
      const how = `was not ready after ${withinMs / 1_000} s`;
      timer = setTimeout(() => {
        this.#worker.process.kill('SIGKILL');
        reject(new StartFailed({ how, code: null, refused: undefined, wasReady: false }));
      }, withinMs);
    });
    const over = this.ended.then((ending) => {
      throw new StartFailed(ending);
    });
    await Promise.race([step, late, over]).finally(() => clearTimeout(timer));
  }
}

// Node deals a process one connection at a time and keeps it until the process says that it has it. Where that ends before,
// Node would keep it for ever, and whoever opened it would wait for an answer: it is closed. Returns what closes it.
function holdingLast(child: ChildProcess): () => void {
  let last: Readonly<{ close: () => void }> | undefined;
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  child.send = (...given: unknown[]) => {
    const [, handle] = given;
    if (typeof handle === 'object' && handle !== null && 'close' in handle) last = handle as typeof last;
    return send(...given);
  };
  child.on('internalMessage', (words: object) => {
    if ('accepted' in words) last = undefined;
  });
  return () => last?.close();
}
