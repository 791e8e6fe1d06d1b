import { sure } from '#shared/assert-defined.ts';

/** A line of jobs, of which only so many run at once. */
export type FairQueue = Readonly<{
  /** Runs `work` when it is its turn. Throws what `refused` makes when too many wait, and when it waited too long. */
  inTurn: <Result>(from: string, work: () => Promise<Result>) => Promise<Result>;
}>;

type Waiting = Readonly<{ goOn: () => void; refuse: () => void }>;

// Long because the line, whose turn it is and who gives way belong together.
/**
 * Everybody who asks takes turns, whatever others ask for: whoever sent a hundred jobs waits for one of each of the
 * others between two of their own. When `waiting` are waiting, the last one of whoever has most in line is refused.
 */
export function createFairQueue(
  { atOnce, waiting, waitMs }: { atOnce: number; waiting: number; waitMs: number },
  refused: () => Error,
): FairQueue {
  // In the order of their turns: whoever had one goes to the end.
  const lines = new Map<string, Waiting[]>();
  let [running, inLine] = [0, 0];

  const leave = (from: string, one: Waiting) => {
    const line = lines.get(from) ?? [];
    line.splice(line.indexOf(one), 1);
    inLine -= 1;
    if (line.length === 0) lines.delete(from);
  };

  const makeRoomFor = (from: string) => {
    const [longest = '', line = []] = [...lines].reduce(
      (most, next) => (next[1].length > most[1].length ? next : most),
      ['', []] as [string, Waiting[]],
    );
    const last = line.at(-1);
    const isLongest = (lines.get(from)?.length ?? 0) + 1 >= line.length;
    if (last === undefined || isLongest) throw refused();
    leave(longest, last);
    last.refuse();
  };

  const waitIn = (from: string) =>
    new Promise<void>((resolve, reject) => {
      const line = lines.get(from) ?? [];
      if (line.length === 0) lines.set(from, line);
      const timer = setTimeout(() => {
        leave(from, one);
        reject(refused());
      }, waitMs);
      const settling = (settle: () => void) => () => {
        clearTimeout(timer);
        settle();
      };
      const one: Waiting = { goOn: settling(resolve), refuse: settling(() => reject(refused())) };
      line.push(one);
      inLine += 1;
    });

  const letNext = () => {
    const [next] = lines;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [from, line] = next;
    const one = sure(line[0]);
    leave(from, one);
    lines.delete(from);
    if (line.length > 0) lines.set(from, line);
    one.goOn();
  };

  return {
    inTurn: async (from, work) => {
      if (running < atOnce) running += 1;
      else {
        if (inLine >= waiting) makeRoomFor(from);
        await waitIn(from);
      }
      try {
        return await work();
      } finally {
        letNext();
      }
    },
  };
}
