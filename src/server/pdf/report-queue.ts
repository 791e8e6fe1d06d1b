import { availableParallelism } from 'node:os';
import { baseMessages } from '#shared/common-messages.ts';
import { refuse } from '#shared/errors.ts';

/** How many reports are made at once, how many wait in all and of one person, and for how long. */
const REPORT_LINE = {
  // A processor is left to requests.
  atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)),
  waiting: 60,
  waitingOfOne: 2,
  waitMs: 30_000,
} as const;

/** Runs a piece of work when it is this person's turn; whoever is `gone` leaves the queue. */
export type ReportQueue = <Result>(
  person: number,
  gone: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>;

type Limits = { readonly [Name in keyof typeof REPORT_LINE]: number };
type Waiting = Readonly<{ person: number; goOn: () => void }>;

const RETRY_AFTER_SECONDS = 5;

/**
 * The queue of reports: first come, first served, and one at a time for each person. Throws 429 when this person has
 * enough waiting, when too many wait in all, and when the wait was too long.
 */
export function openReportQueue(limits: Limits = REPORT_LINE): ReportQueue {
  const atWork = new Set<number>();
  const waiting: Waiting[] = [];

  const letOn = () => {
    while (atWork.size < limits.atOnce) {
      const at = waiting.findIndex(({ person }) => !atWork.has(person));
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      atWork.add(next.person);
      next.goOn();
    }
  };

  return async (person, gone, work) => {
    const isFree = atWork.size < limits.atOnce && !atWork.has(person);
    const own = waiting.filter((one) => one.person === person).length;
    if (own >= limits.waitingOfOne)
      throw refuse.tooManyTries(baseMessages.reportsOfYours, RETRY_AFTER_SECONDS);
    if (!isFree && waiting.length >= limits.waiting) throw tooMany();
    const turn = waitIn(waiting, person, limits.waitMs, gone);
    letOn();
    await turn;
    try {
      return await work();
    } finally {
      atWork.delete(person);
      letOn();
    }
  };
}

async function waitIn(waiting: Waiting[], person: number, waitMs: number, gone: AbortSignal): Promise<void> {
  if (gone.aborted) throw tooMany();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const one: Waiting = { person, goOn: resolve };
  const leave = () => {
    const at = waiting.indexOf(one);
    if (at >= 0) waiting.splice(at, 1);
    reject(tooMany());
  };
  const timer = setTimeout(leave, waitMs);
  gone.addEventListener('abort', leave);
  waiting.push(one);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', leave);
  }
}

function tooMany() {
  return refuse.tooManyTries(baseMessages.reportsBusy, RETRY_AFTER_SECONDS);
}
