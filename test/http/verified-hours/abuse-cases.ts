/** Abuses of an external verifier's link, each with the test in `routes.engines.test.ts` that shows it fails. */
export const ABUSES = [
  [
    'guess, truncate or reuse a link',
    'returns 404 if it is unknown, truncated, 14 days old, or another kind of link',
  ],
  ['decide about other hours', 'cannot decide about hours outside its email'],
  [
    'change hours after the email, to get more hours confirmed',
    'skips hours that changed, moved, or were deleted or decided since the email',
  ],
  [
    'confirm their own hours with a variant of their address (dots, +tags, case)',
    'never lets volunteers verify their own hours, in any spelling of their address',
  ],
  [
    'answer twice, or send two different answers at the same time',
    'applies only the first of several concurrent answers',
  ],
  [
    'use a link after the school, activity or account no longer needs it',
    'stops working when the school, the activity or the account no longer allows it',
  ],
  [
    'name a stranger as the verifier',
    'declines all of its hours, once, when the verifier does not know the people',
  ],
  [
    'email a verifier who unsubscribed',
    'expires with all other links to the mailbox when the verifier unsubscribes',
  ],
  [
    'email many strangers',
    'goes out to ten verifiers named by one volunteer; further ones wait for the evening',
  ],
  ['confirm hours through a mail scanner', 'changes nothing when a mail scanner opens it'],
  [
    'inject a script through notes, or frame the page',
    'is rendered by the server without scripts, caching or framing',
  ],
  [
    'learn from an email who volunteers',
    'goes out once a day for all waiting hours without naming the volunteer',
  ],
] as const;
