/** Abuses of an external verifier's link, each with the test in `routes.engines.test.ts` that shows it fails. */
export const ABUSES = [
  ['guess, cut or reuse a link', 'is 404 when it is unknown, cut, 14 days old, or another kind of link'],
  ['answer about other hours', 'decides nothing about hours that are not in its letter'],
  [
    'change hours after the letter, to have more confirmed',
    'leaves hours alone that were changed, moved, deleted or decided since the letter',
  ],
  [
    'confirm one’s own hours, by dots, +tags or case',
    'never lets volunteers verify their own hours, by whatever spelling of their address',
  ],
  [
    'answer twice, or two ways at once',
    'of two answers at once the first counts, and nothing is decided twice',
  ],
  [
    'use the link of a school, activity or person that is over',
    'is over when the school stops verifying, the activity names somebody else, or the person is erased',
  ],
  ['name a stranger', 'that knows nobody declines all of its letter, once'],
  [
    'write to somebody who wants no letters',
    'that wants no letters ends every link to that mailbox, and hours wait for the school',
  ],
  [
    'send letters to many strangers',
    'is limited for one volunteer who names many supervisors; the rest waits for the evening',
  ],
  [
    'let a mail scanner confirm',
    'changes nothing by being opened, however often: a mail scanner answers for nobody',
  ],
  [
    'put a script into notes, or frame the page',
    'is written by the server, without a script, in no cache and for no frame',
  ],
  [
    'learn who volunteers from a letter',
    'goes once a day with everything that waits, names no volunteer, and its link works',
  ],
] as const;
