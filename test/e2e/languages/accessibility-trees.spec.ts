import { describe, test } from 'vitest';
import { runningClock } from '../../harness.ts';
import { atTreeTime, expectTrees, TREE_TIME, treesOf } from '../accessibility-trees.ts';
import { DESKTOP } from '../browser.ts';
import { openWorld, SCREENS } from '../screens.ts';
import { SPOKEN } from '../spoken-language.ts';

const SHOWN = [
  'sign in with faults',
  'Log Time',
  'a picked activity with hours chosen',
  'logged hours with Undo',
];

describe.skipIf(SPOKEN !== 'es')('the accessibility trees in Spanish', () => {
  test('match the recorded ones on the way to logged hours', async () => {
    const clock = runningClock();
    clock.set(TREE_TIME);
    const world = await openWorld(DESKTOP, clock, atTreeTime);
    const screens = SHOWN.flatMap((name) => SCREENS.filter(([own]) => own === name));
    await expectTrees('log-time', await treesOf(([, who]) => world[who], world, screens));
  });
});
