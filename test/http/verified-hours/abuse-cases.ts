/** Abuses of an external verifier's link, each with the test in `routes.engines.test.ts` that shows it fails. */
export const ABUSES = [
  [
    'guess, cut or reuse a link',
    'returns 404 when it is unknown, truncated, 14 days old, or another kind of link',
  ],
  ['answer about other hours', 'cannot decide about hours that are not in its email'],
  [
    'change hours after the letter, to have more confirmed',
    'skips hours that were changed, moved, deleted or decided since the email',
  ],
  [
    'confirm one’s own hours, by dots, +tags or case',
    'never lets volunteers verify their own hours, by whatever spelling of their address',
  ],
  ['answer twice, or two ways at once', 'applies the first of two concurrent answers only'],
  [
    'use the link of a school, activity or person that is over',
    'expires when the school stops verifying, the activity names another verifier, or the account is deleted',
  ],
  ['name a stranger', 'declines all of its email, once, when the verifier does not know the people'],
  [
    'write to somebody who wants no letters',
    'expires every link to a mailbox that unsubscribes, and hours wait for the school',
  ],
  [
    'send letters to many strangers',
    'is limited for a volunteer who names many verifiers; the rest waits for the evening',
  ],
  ['let a mail scanner confirm', 'changes nothing when it is opened, as by a mail scanner'],
  [
    'put a script into notes, or frame the page',
    'is rendered by the server without scripts, uncached and not framed',
  ],
  [
    'learn who volunteers from a letter',
    'is sent once a day with all waiting hours, without the volunteer, and its link works',
  ],
] as const;
