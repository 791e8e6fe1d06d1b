import type { Logger } from 'pino';
import { baseMessages } from '#shared/common-messages.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { refuse } from '#shared/errors.ts';

/** The most requests that wait; further ones are refused at once (503). */
const WAITING = 300;
/** The longest wait for a turn, and for a free slot while the database delays requests of the same endpoint. */
const WAIT_MS = { turn: 20_000, place: 5_000 } as const;
/** How long requests may use the event loop before health checks and new connections get their turn. */
const SHARE_MS = 20;
const RETRY_AFTER = { least: 1, most: 4 } as const;
const SAY_EVERY_MS = 10_000;

/** The queue of requests. */
export type Line = Readonly<{
  /** Wraps a handler: it runs when it is its turn. Throws 503 when too many wait, or when it waited too long. */
  guarding: <Taken extends unknown[], Answer>(
    endpoint: Endpoint,
    handler: (...taken: Taken) => Promise<Answer>,
  ) => (...taken: Taken) => Promise<Answer>;
}>;

type Waiting = Readonly<{ since: number; goOn: () => void; refuse: (error: unknown) => void }>;

/**
 * A bounded queue in front of all work. `atOnce` limits how many requests of one endpoint run at a time: when the
 * database delays them, the others still find connections. An endpoint that is `isLong` waits for something else and
 * is limited elsewhere.
 */
export function openRequestQueue({ log, atOnce }: { log: Logger; atOnce: number | undefined }): Line {
  const crowd = { waiting: 0, most: WAITING };
  const overloaded = sayingSo(log);
  const enterLoop = loopLine(crowd, overloaded);
  return {
    guarding: (endpoint, handler) => {
      const { files, file, isLong } = endpoint.parts;
      const isBounded = atOnce !== undefined && files === undefined && file !== true && isLong !== true;
      if (!isBounded) {
        return async (...taken) => {
          await enterLoop();
          return handler(...taken);
        };
      }
      const places = placesFor(atOnce, crowd, overloaded);
      return async (...taken) => {
        await places.take();
        try {
          await enterLoop();
          return await handler(...taken);
        } finally {
          places.give();
        }
      };
    },
  };
}

type Crowd = { waiting: number; readonly most: number };

// Requests run one by one, and every few milliseconds the event loop handles other events. A database in this process
// never waits for anything: without this, hundreds of requests that arrive together would block the loop until all
// are done. Each that waits has a task of its own, before which the one let go earlier has done what it can. What else takes
// long between two turns of the loop, such as a part of a large write, takes nothing from their share.
function loopLine(crowd: Crowd, overloaded: () => Error): () => Promise<void> {
  const line: Waiting[] = [];
  let began: number | undefined;
  const hasTime = () => {
    if (began === undefined) {
      began = performance.now();
      setImmediate(() => {
        began = undefined;
      });
    }
    return performance.now() - began < SHARE_MS;
  };
  const letOneGo = () => {
    if (!hasTime()) {
      setImmediate(letOneGo);
      return;
    }
    const next = line.shift();
    if (next === undefined) return;
    crowd.waiting -= 1;
    if (performance.now() - next.since > WAIT_MS.turn) next.refuse(overloaded());
    else next.goOn();
  };
  return async () => {
    if (line.length === 0 && hasTime()) return;
    if (crowd.waiting >= crowd.most) throw overloaded();
    crowd.waiting += 1;
    await new Promise<void>((goOn, refused) => {
      line.push({ since: performance.now(), goOn, refuse: refused });
      setImmediate(letOneGo);
    });
  };
}

function placesFor(most: number, crowd: Crowd, overloaded: () => Error) {
  const line: Waiting[] = [];
  let taken = 0;
  return {
    async take(): Promise<void> {
      if (taken < most) {
        taken += 1;
        return;
      }
      if (crowd.waiting >= crowd.most) throw overloaded();
      crowd.waiting += 1;
      await new Promise<void>((goOn, refused) => {
        const timer = setTimeout(() => {
          line.splice(line.indexOf(one), 1);
          crowd.waiting -= 1;
          refused(overloaded());
        }, WAIT_MS.place);
        const one: Waiting = {
          since: performance.now(),
          goOn: () => {
            clearTimeout(timer);
            goOn();
          },
          refuse: refused,
        };
        line.push(one);
      });
    },
    give(): void {
      const next = line.shift();
      if (next === undefined) {
        taken -= 1;
        return;
      }
      crowd.waiting -= 1;
      next.goOn();
    },
  };
}

// Logged now and then, not for each request, which would add work at the worst moment.
function sayingSo(log: Logger): () => Error {
  let [refused, saidAt] = [0, Number.NEGATIVE_INFINITY];
  return () => {
    refused += 1;
    if (performance.now() - saidAt > SAY_EVERY_MS) {
      log.warn({ refused }, 'more requests than can be answered: some were told to come back');
      [refused, saidAt] = [0, performance.now()];
    }
    // Spread out, so that clients do not all retry at once.
    const seconds = RETRY_AFTER.least + Math.floor(Math.random() * RETRY_AFTER.most);
    return refuse.busy(baseMessages.busy, seconds);
  };
}
