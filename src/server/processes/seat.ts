import cluster from 'node:cluster';
import { PLACE, type Place, type Question, type Standing, type ToPrimary, type ToProcess } from './words.ts';

/** Longer than the one that is asked may take; then its answer is not missed. */
const ANSWER_WITHIN_MS = 5_000;

/** A process's place among those of one server, and its talk with the one that started it. */
export type Seat = Place &
  Readonly<{
    tell: (words: ToPrimary) => Promise<void>;
    /** Says that all is ready to listen; resolves with the port when it should. */
    waitToListen: () => Promise<number>;
    /** What to do when it is told to; said before, it is done at once. */
    onJobs: (take: () => void) => void;
    onLeave: (leave: () => void) => void;
    /** How the server stands, as last heard. */
    standing: () => Standing | undefined;
    /** Asks the others; an empty list when none of them answers. */
    ask: (question: Question) => Promise<readonly unknown[]>;
    /** How this process answers. */
    answering: (question: Question, answer: () => Promise<unknown>) => void;
  }>;

// Long because it keeps what was heard, and each word is one line.
/** This process's seat; undefined for the only process of a server. Call it once: what it starts shall not take it too. */
export function takeSeat(environment: NodeJS.ProcessEnv): Seat | undefined {
  const place = environment[PLACE];
  delete environment[PLACE];
  if (!cluster.isWorker || place === undefined) return undefined;
  const listening = Promise.withResolvers<number>();
  const [jobs, leaving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answers = new Map<Question, () => Promise<unknown>>();
  const asked = new Map<number, (found: readonly unknown[]) => void>();
  let standing: Standing | undefined;
  let questions = 0;
  process.on('message', (words: ToProcess) => {
    if ('listen' in words) listening.resolve(words.listen.port);
    else if ('takeJobs' in words) jobs.resolve();
    else if ('leave' in words) leaving.resolve();
    else if ('standing' in words) standing = words.standing;
    else if ('ask' in words) void answer(words.id, answers.get(words.ask));
    else if ('answered' in words) asked.get(words.answered)?.(words.answers);
  });
  return {
    ...(JSON.parse(place) as Place),
    tell,
    waitToListen: async () => {
      await tell({ isPrepared: true });
      return listening.promise;
    },
    onJobs: (take) => void jobs.promise.then(take),
    onLeave: (leave) => void leaving.promise.then(leave),
    standing: () => standing,
    ask: async (question) => {
      const id = ++questions;
      const { promise, resolve } = Promise.withResolvers<readonly unknown[]>();
      asked.set(id, resolve);
      const timer = setTimeout(resolve, ANSWER_WITHIN_MS, []);
      await tell({ ask: question, id });
      return promise.finally(() => {
        clearTimeout(timer);
        asked.delete(id);
      });
    },
    answering: (question, give) => void answers.set(question, give),
  };
}

async function answer(id: number, give: (() => Promise<unknown>) | undefined): Promise<void> {
  const found = await give?.().catch(() => undefined);
  await tell({ answered: id, answers: found === undefined ? [] : [found] });
}

// The one that started it may be gone.
function tell(words: ToPrimary): Promise<void> {
  return new Promise((resolve) => {
    if (process.send && process.connected) process.send(words, () => resolve());
    else resolve();
  });
}
