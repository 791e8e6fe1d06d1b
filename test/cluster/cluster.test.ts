import { expect, test } from 'vitest';
import { atEnd } from '#test/harness.ts';
import { openMachine } from '../../scripts/cluster/local-processes.ts';
import { tell } from '../../scripts/cluster/scenario.ts';

test('no confirmed write is lost or doubled while one part after the other of a cluster fails', async () => {
  const machine = openMachine();
  atEnd(machine.end);
  const chapters = await tell(machine, { calmSeconds: 3, say: (chapter) => console.log(chapter) });
  expect(chapters).toHaveLength(6);
  for (const { name, lost, doubled, strange } of chapters) {
    expect({ name, lost, doubled, strange }).toEqual({ name, lost: 0, doubled: 0, strange: [] });
  }
  expect(chapters.slice(0, -1).every(({ logged }) => logged > 0)).toBe(true);
});
