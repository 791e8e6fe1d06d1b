/** Abuses of an external verifier's link, each with the test in `routes.engines.test.ts` that shows it fails. */
export const ABUSES = [
  [
    'guess, truncate or reuse a link',
    'returns 404 when it is unknown, truncated, 14 days old, or another kind of link',
  ],
  ['decide about other hours', 'cannot decide about hours that are not in its email'],
  [
    'change hours after the email, to get more hours confirmed',
    'skips hours that were changed, moved, deleted or decided since the email',
  ],
  [
    'confirm their own hours with a variant of their address (dots, +tags, case)',
    'never lets volunteers verify their own hours, by whatever spelling of their address',
  ],
  [
    'answer twice, or send two different answers at the same time',
    'applies the first of two concurrent answers only',
  ],
  [
    'use a link after the school, activity or account no longer needs it',
    'expires when the school stops verifying, the activity names another verifier, or the account is deleted',
  ],
  [
    'name a stranger as the verifier',
    'declines all of its email, once, when the verifier does not know the people',
  ],
  [
    'email a verifier who unsubscribed',
    'expires every link to a mailbox that unsubscribes, and hours wait for the school',
  ],
  [
    'email many strangers',
    'is limited for a volunteer who names many verifiers; the rest waits for the evening',
  ],
  ['confirm hours through a mail scanner', 'changes nothing when it is opened, as by a mail scanner'],
  [
    'inject a script through notes, or frame the page',
    'is rendered by the server without scripts, uncached and not framed',
  ],
  [
    'learn from an email who volunteers',
    'is sent once a day with all waiting hours, without the volunteer, and its link works',
  ],
] as const;
