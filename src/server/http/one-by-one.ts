const last = new Map<string, Promise<unknown>>();

/** Runs pieces of work of the same name one after the other, in the order they came; others go on beside them. */
export async function oneByOne<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const before = last.get(name);
  const running = before === undefined ? work() : before.then(work);
  // Whoever comes next waits for it, however it ends; its own failure is for its own caller.
  const ended = running.then(
    () => undefined,
    () => undefined,
  );
  last.set(name, ended);
  try {
    return await running;
  } finally {
    if (last.get(name) === ended) last.delete(name);
  }
}
