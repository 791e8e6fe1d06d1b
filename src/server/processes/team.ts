import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Ending, Member } from './member.ts';
import { Questions } from './questions.ts';
import { Standby } from './standby.ts';
import type { Standing, ToPrimary } from './words.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A process that ends sooner after its start is started again after a pause, each twice as long as the one before. */
const STEADY_AFTER_MS = 60_000;

/** Why a restart did not happen, or undefined. */
export type Restarted = Readonly<{ failure: string | undefined }>;

type Server = Readonly<{ processes: number; host: string; port: number }>;

/** The processes of a server: begun, replaced when they end, exchanged for new ones, stopped together. */
export class Team {
  readonly #server: Server;
  readonly #log: Pick<Logger, 'error'>;
  readonly #questions = new Questions();
  readonly #standby: Standby;
  readonly #pauses = new Map<number, number>();
  /** All that live, those that leave among them. */
  readonly #all = new Set<Member>();
  /** Those that serve, or are about to. A restart puts another list in its place. */
  #members: Member[] = [];
  /** What the settings say, which may be any free one, and which one it was. */
  #port: number;
  #foundPort: number | undefined;
  #isFailing = false;
  #isStopping = false;
  #restarting: Promise<unknown> = Promise.resolve();

  constructor(server: Server, log: Pick<Logger, 'error'>) {
    this.#server = server;
    this.#log = log;
    this.#port = server.port;
    this.#standby = new Standby(server.host, () => this.#standing());
  }

  /** Starts the first process and, once it serves, the others. Throws `StartFailed` when the first one does not come up. */
  async begin(): Promise<void> {
    const first = this.#start(1, true);
    this.#members = [first];
    await first.prepared({ isFirst: true });
    await first.listen(this.#port);
    this.#fillEmpty();
  }

  /**
   * Starts as many new processes and has the former ones leave once all are ready; when one is not, those stay. One
   * that is asked for during another begins after it: the code may have changed meanwhile.
   */
  restart(): Promise<Restarted> {
    const restarting = this.#restarting.then(() => this.#exchange());
    this.#restarting = restarting;
    return restarting;
  }

  /** Stops all; resolves with how each ended. */
  stop(): Promise<readonly Ending[]> {
    this.#isStopping = true;
    this.#standby.close();
    for (const member of this.#all) member.stop();
    return Promise.all([...this.#all].map(({ ended }) => ended));
  }

  async #exchange(): Promise<Restarted> {
    if (this.#isStopping) return { failure: 'the server stops' };
    const fresh = Array.from({ length: this.#server.processes }, (_, index) => this.#start(index + 1));
    try {
      await Promise.all(fresh.map((member) => member.prepared()));
      await Promise.all(fresh.map((member) => this.#listen(member)));
    } catch (error) {
      for (const member of fresh) member.stop();
      await Promise.all(fresh.map(({ ended }) => ended));
      this.#standByIfAlone();
      return { failure: error instanceof Error ? error.message : String(error) };
    }
    const former = this.#members;
    this.#members = fresh.filter((member) => this.#all.has(member));
    this.#isFailing = false;
    this.#pauses.clear();
    for (const member of former) member.leave();
    this.#tellStanding();
    this.#fillEmpty();
    return { failure: undefined };
  }

  #listen(member: Member): Promise<void> {
    this.#standby.close();
    return member.listen(this.#port);
  }

  #start(number: number, isFirst = false): Member {
    const { processes } = this.#server;
    const member = new Member({ number, processes, isFirst }, (one, words) => this.#hear(one, words));
    this.#all.add(member);
    void member.ended.then((ending) => this.#bury(member, ending));
    return member;
  }

  #hear(member: Member, words: ToPrimary): void {
    if ('address' in words) this.#foundPort = Number(new URL(words.address).port);
    if ('isReady' in words) this.#tellStanding();
    if ('hasJobs' in words) this.#giveJobs();
    if ('answered' in words) this.#questions.answered(words.answered, words.answers);
    if ('ask' in words) {
      const others = this.#serving().filter((one) => one !== member);
      // Only one process knows what the jobs have under way.
      const asked = words.ask === 'scrub' ? others.filter(({ hasJobs }) => hasJobs) : others;
      void this.#questions.ask(asked, words.ask).then((answers) => {
        member.tell({ answered: words.id, answers });
      });
    }
  }

  #bury(member: Member, { how, wasReady }: Ending): void {
    this.#all.delete(member);
    this.#giveJobs();
    const isMissed = wasReady && !member.isLeaving && !this.#isStopping && this.#members.includes(member);
    if (!isMissed) return;
    this.#members.splice(this.#members.indexOf(member), 1);
    this.#log.error({ process: member.number }, `a process of the server ${how}: another takes its place`);
    this.#tellStanding();
    this.#standByIfAlone();
    const isSteady = performance.now() - member.bornAt > STEADY_AFTER_MS;
    void this.#fill(member.number, isSteady ? 0 : this.#nextPause(member.number));
  }

  #fillEmpty(): void {
    for (let number = 1; number <= this.#server.processes; number += 1)
      if (!this.#members.some((member) => member.number === number)) void this.#fill(number, 0);
  }

  /** Starts a process in an empty place again and again until one comes up, or a restart fills all of them. */
  async #fill(number: number, afterMs: number): Promise<void> {
    const members = this.#members;
    const isWanted = () => !this.#isStopping && members === this.#members;
    for (let waitMs = afterMs; ; waitMs = this.#nextPause(number)) {
      await pause(waitMs);
      if (!isWanted()) return;
      const failure = await this.#bringUp(this.#start(number), members);
      if (failure === undefined || !isWanted()) return this.#tellStanding();
      this.#isFailing = true;
      this.#log.error({ process: number }, `a process of the server did not come up: ${failure}`);
      this.#tellStanding();
      this.#standByIfAlone();
    }
  }

  async #bringUp(member: Member, members: Member[]): Promise<string | undefined> {
    members.push(member);
    try {
      await member.prepared();
      await this.#listen(member);
      if (members.length === this.#server.processes) this.#isFailing = false;
      return undefined;
    } catch (error) {
      members.splice(members.indexOf(member), 1);
      return error instanceof Error ? error.message : String(error);
    }
  }

  #nextPause(number: number): number {
    const before = this.#pauses.get(number);
    const next = before === undefined ? FIRST_PAUSE_MS : Math.min(before * 2, LONGEST_PAUSE_MS);
    this.#pauses.set(number, next);
    return next;
  }

  /** One process does the jobs, and the next one only once they have ended in that. */
  #giveJobs(): void {
    if (this.#isStopping || [...this.#all].some(({ hasJobs }) => hasJobs)) return;
    const [next] = this.#serving();
    if (next === undefined) return;
    next.hasJobs = true;
    next.tell({ takeJobs: true });
  }

  #serving(): readonly Member[] {
    return this.#members.filter(({ isReady, isLeaving }) => isReady && !isLeaving);
  }

  #standing(): Standing {
    const { processes: wanted } = this.#server;
    return { wanted, running: this.#serving().length, isFailing: this.#isFailing };
  }

  #tellStanding(): void {
    this.#giveJobs();
    for (const member of this.#all) member.tell({ standing: this.#standing() });
  }

  // With no process left nobody holds the port any more.
  #standByIfAlone(): void {
    if (this.#isStopping || this.#foundPort === undefined) return;
    if ([...this.#all].some(({ isListening, isLeaving }) => isListening && !isLeaving)) return;
    this.#port = this.#foundPort;
    this.#standby.begin(this.#port);
  }
}
