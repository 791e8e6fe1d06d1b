import { readdirSync, readFileSync } from 'node:fs';

/** CPU time in nanoseconds by process, summed over its threads. */
export type Spent = ReadonlyMap<number, number>;

/** The CPU time so far of these processes and all their children. */
export function cpuOf(roots: readonly number[]): Spent {
  const children = Map.groupBy(processes(), (one) => one.parent);
  const tree = new Set<number>();
  const visit = (id: number) => {
    if (tree.has(id)) return;
    tree.add(id);
    for (const child of children.get(id) ?? []) visit(child.id);
  };
  for (const root of roots) visit(root);
  return new Map([...tree].map((id) => [id, threadsOf(id)]));
}

/** Nanoseconds since an earlier reading. A process that has ended since (an idle back end) is ignored. */
export function spentSince(before: Spent, now: Spent): number {
  return [...now].reduce((sum, [id, spent]) => sum + Math.max(0, spent - (before.get(id) ?? 0)), 0);
}

function processes(): { id: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`);
      // The name in parentheses may contain anything; state and parent follow it.
      const [, parent] = /^.*\) \S (\d+)/s.exec(stat) ?? [];
      return parent === undefined ? [] : [{ id: Number(name), parent: Number(parent) }];
    });
}

function threadsOf(id: number): number {
  try {
    return readdirSync(`/proc/${id}/task`).reduce(
      (sum, thread) => sum + Number(read(`/proc/${id}/task/${thread}/schedstat`).split(' ')[0] ?? 0),
      0,
    );
  } catch {
    return 0;
  }
}

// A process may end while it is being read.
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
