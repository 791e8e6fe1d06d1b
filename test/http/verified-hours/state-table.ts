/**
 * What happens to hours at a school that verifies them: every state of an entry, every event, and the state afterwards.
 * docs/verified-hours.md is generated from this file, and `states.test.ts` performs each event.
 *
 * Ann is the volunteer, Maria the coordinator who verified, Tom a school administrator, Ada a district administrator, and
 * the coach an external verifier. Each entry is 2 hours of February at an activity of its own, unless it says otherwise.
 */
export const STATES = {
  off: ['at a school that does not verify', 'no state'],
  waiting: ['waiting', 'waits'],
  asked: ['waiting, the coach was asked', 'waits, coach asked'],
  flagged: ['waiting, 9 h and therefore flagged', 'waits, flagged'],
  closed: ['waiting, in a closed period', 'waits'],
  verified: ['verified', '2 of 2 h, Maria'],
  adjusted: ['verified with other hours', '1.5 of 2 h, Maria'],
  outside: ['verified by the coach', '2 of 2 h, coach'],
  trusted: ['at a trusted activity', '2 of 2 h, nobody'],
  declined: ['declined', 'declined, Maria'],
  reopen: ['verified, Ann requested reopening', '2 of 2 h, Maria, reopening requested'],
  reopenDeclined: ['declined, Ann requested reopening', 'declined, Maria, reopening requested'],
} as const satisfies Record<string, readonly [what: string, seen: string]>;

export type State = keyof typeof STATES;

/** The server's errors. The entry is not changed. */
export const ERRORS = {
  locked: [409, 'Verified hours can no longer be changed. Ask Lincoln to reopen them.'],
  closed: [409, 'Hours before Feb 8 are closed. Ask Lincoln.'],
  'reason needed': [400, "Hours before Feb 8 are closed. Please say why you're changing them."],
  'still waiting': [409, 'These hours are still waiting, so you can change them yourself.'],
  'cannot name': [409, "You can't name a supervisor for …"],
  'already requested': [409, 'You already asked for a change to these hours'],
  'not found': [200, 'Time entry not found'],
  'by Maria': [200, 'Maria Lopez has already verified these hours'],
  'by the coach': [200, 'the coach has already verified these hours'],
  'not by Maria': [200, 'Maria Lopez has already declined these hours'],
  'already counts': [200, 'These hours already count'],
  'already waiting': [200, 'These hours are already waiting'],
  'invalid link': [404, 'This link no longer works.'],
  'has records': [409, 'Cannot delete …: it still has …'],
} as const satisfies Record<string, readonly [status: number, answer: string]>;

export type Refusal = keyof typeof ERRORS;

const SAME = 'same';

/** The entry's state afterwards, described as in `STATES`, or the error. */
export type Cell = string;

export type Row = Readonly<{
  cells: Readonly<Record<State, Cell>>;
  /** The audit events of the entry. */
  record: readonly string[];
}>;

type Cells = Readonly<Partial<Record<State, Cell>>>;

const NAMES = Object.keys(STATES) as State[];
const WAITING = ['waiting', 'asked', 'flagged', 'closed'] as const satisfies readonly State[];
const VERIFIED = ['verified', 'adjusted', 'outside', 'trusted', 'reopen'] as const satisfies readonly State[];
const DECLINED = ['declined', 'reopenDeclined'] as const satisfies readonly State[];

const each = (states: readonly State[], cell: Cell): Cells =>
  Object.fromEntries(states.map((state) => [state, cell]));
const all = (cell: Cell): Record<State, Cell> => each(NAMES, cell) as Record<State, Cell>;

/** Volunteers cannot change verified and declined hours. */
const LOCKED = each([...VERIFIED, ...DECLINED], 'locked');
/** The email to the coach was about an earlier version. */
const NOT_ASKED: Cells = { asked: 'waits' };
/** Decided entries cannot be verified or declined. */
const DECIDED: Cells = {
  off: 'not found',
  ...each([...VERIFIED, ...DECLINED], 'by Maria'),
  ...each(DECLINED, 'not by Maria'),
  outside: 'by the coach',
  trusted: 'already counts',
};
const row = (record: readonly string[], ...cells: readonly Cells[]): Row => ({
  record,
  cells: Object.assign(all(SAME), ...cells),
});

export const TABLE = {
  // Ann, the volunteer
  'Ann changes the hours to 3': row(
    ['entry.edit'],
    { flagged: 'waits', closed: 'closed' },
    NOT_ASKED,
    LOCKED,
  ),
  'Ann changes the notes': row(['entry.edit'], { closed: 'closed' }, NOT_ASKED, LOCKED),
  'Ann changes the day': row(['entry.edit'], { closed: 'closed' }, NOT_ASKED, LOCKED),
  'Ann moves it to another activity': row(['entry.edit'], { closed: 'closed' }, NOT_ASKED, LOCKED),
  'Ann moves it to another school': row(
    ['entry.edit'],
    { off: 'waits', waiting: 'no state', asked: 'no state', flagged: 'no state', closed: 'closed' },
    LOCKED,
  ),
  'Ann deletes it': row(['entry.delete'], all('deleted'), { closed: 'closed' }, LOCKED),
  'Ann deletes it and restores it': row(
    ['entry.delete', 'entry.restore'],
    { closed: 'closed' },
    NOT_ASKED,
    LOCKED,
  ),
  'Ann asks to reopen it': row(['entry.ask-reopening'], each(['off', ...WAITING], 'still waiting'), {
    verified: '2 of 2 h, Maria, reopening requested',
    adjusted: '1.5 of 2 h, Maria, reopening requested',
    outside: '2 of 2 h, coach, reopening requested',
    trusted: '2 of 2 h, nobody, reopening requested',
    declined: 'declined, Maria, reopening requested',
    reopen: 'already requested',
    reopenDeclined: 'already requested',
  }),
  'Ann names another supervisor': row([], all('cannot name'), LOCKED),
  'Ann names a supervisor for an activity that lets her': row(
    ['entry.name-supervisor'],
    { off: 'cannot name' },
    NOT_ASKED,
    LOCKED,
  ),

  // Ada, who may edit all hours
  'Ada changes the hours to 3': row(
    ['entry.edit'],
    { flagged: 'waits', closed: 'reason needed' },
    NOT_ASKED,
    each(VERIFIED, '3 of 3 h, Ada'),
  ),
  'Ada changes the hours to 3 and gives a reason': row(
    ['entry.edit'],
    { flagged: 'waits' },
    NOT_ASKED,
    each(VERIFIED, '3 of 3 h, Ada'),
  ),
  'Ada changes the day': row(
    ['entry.edit'],
    // All on one day are more than 16 hours of it.
    { waiting: 'waits, flagged', asked: 'waits, flagged', closed: 'reason needed' },
    each(VERIFIED, '2 of 2 h, Ada'),
    { adjusted: '1.5 of 2 h, Ada' },
  ),
  'Ada moves it to another activity': row(
    ['entry.edit'],
    each([...VERIFIED, ...DECLINED, 'asked'], 'waits'),
    { closed: 'reason needed' },
  ),
  'Ada moves it to a trusted activity': row(
    ['entry.edit'],
    each([...WAITING, ...VERIFIED, ...DECLINED], '2 of 2 h, nobody'),
    { off: '2 of 2 h, nobody', flagged: '9 of 9 h, nobody', closed: 'reason needed', trusted: SAME },
  ),
  'Ada deletes it': row(['entry.delete'], all('deleted'), { closed: 'reason needed' }),
  'Ada deletes it and restores it': row(
    ['entry.delete', 'entry.restore'],
    { closed: 'reason needed' },
    NOT_ASKED,
  ),
  'Ada logs more hours for Ann on the same day': row([], {
    waiting: 'waits, flagged',
    asked: 'waits, coach asked, flagged',
    closed: 'reason needed',
  }),
  'Ada logs a group on the same day that includes Ann': row([], {
    waiting: 'waits, flagged',
    asked: 'waits, coach asked, flagged',
    closed: 'reason needed',
  }),
  'Ada imports more hours for Ann on that day': row([], {
    waiting: 'waits, flagged',
    asked: 'waits, coach asked, flagged',
    closed: 'reason needed',
  }),
  'Ada imports more hours for Ann on that day and undoes the import': row([], { closed: 'reason needed' }),

  // Tom, who verifies
  'Tom verifies it': row(
    ['entry.verify'],
    each(WAITING, '2 of 2 h, Tom'),
    { flagged: '9 of 9 h, Tom' },
    DECIDED,
  ),
  'Tom verifies 1.5 hours of it': row(
    ['entry.verify'],
    each(WAITING, '1.5 of 2 h, Tom'),
    { flagged: '1.5 of 9 h, Tom' },
    DECIDED,
  ),
  'Tom declines it': row(['entry.decline'], each(WAITING, 'declined, Tom'), DECIDED),
  'Tom reopens it': row(
    ['entry.reopen'],
    { off: 'not found' },
    each(WAITING, 'already waiting'),
    each([...VERIFIED, ...DECLINED], 'waits'),
  ),
  'Tom verifies it and undoes that': row(['entry.verify', 'entry.undo-decision'], DECIDED, NOT_ASKED),
  'Tom declines it and undoes that': row(['entry.decline', 'entry.undo-decision'], DECIDED, NOT_ASKED),
  'Tom reopens it and undoes that': row(
    ['entry.reopen', 'entry.undo-decision'],
    { off: 'not found' },
    each(WAITING, 'already waiting'),
  ),
  'Tom verifies all waiting hours of the school': row(['entry.verify'], each(WAITING, '2 of 2 h, Tom'), {
    flagged: '9 of 9 h, Tom',
  }),

  // The coach, by the link in an email
  'the coach confirms it': row(['entry.verify-outside'], all('invalid link'), { asked: '2 of 2 h, coach' }),
  'the coach confirms 1.5 hours of it': row(['entry.verify-outside'], all('invalid link'), {
    asked: '1.5 of 2 h, coach',
  }),
  'the coach declines it': row(['entry.decline-outside'], all('invalid link'), { asked: 'declined, coach' }),
  'the coach cannot confirm this person': row(['entry.decline-outside'], all('invalid link'), {
    asked: 'declined, coach',
  }),
  'the coach unsubscribes': row([], all('invalid link'), {
    asked: 'waits, coach unsubscribed',
  }),
  'Ann’s address becomes the coach’s, and the coach confirms it': row(['entry.reopen'], {
    ...all('invalid link'),
    outside: 'waits',
  }),

  // Its activity and category
  'its activity is renamed': row([]),
  'its activity gets another category': row([]),
  'its category is renamed': row([]),
  'its activity is deactivated': row([]),
  'its activity gets dates that exclude the day': row([], {
    waiting: 'waits, flagged',
    asked: 'waits, coach asked, flagged',
    closed: 'waits, flagged',
  }),
  'its activity becomes trusted': row([], NOT_ASKED),
  'its activity gets another external supervisor': row([], NOT_ASKED),
  'its activity changes to verification by the school': row([], NOT_ASKED),
  'its activity is deleted': row([], all('has records')),
  'the entry is deleted, then its activity': row(['entry.delete'], all('gone')),

  // Its school
  'the school is renamed': row([]),
  'the school is deleted': row([], all('has records')),
  'the school stops verifying': row([], all('no state'), { off: SAME }),
  'the school stops verifying and starts again': row([], { off: 'waits' }),
  'the school stops verifying, Ann changes the notes, it starts again': row(['entry.edit'], all('waits'), {
    waiting: SAME,
    flagged: SAME,
    closed: 'closed',
  }),
  'the school stops verifying and starts again while the entry is deleted': row(
    ['entry.delete', 'entry.restore'],
    { off: 'waits' },
    NOT_ASKED,
  ),
  'the school closes the period, Ann changes the notes': row(
    [],
    { off: 'closed' },
    each(WAITING, 'closed'),
    LOCKED,
  ),
  'the school starts to flag hours logged after 7 days': row([], {
    waiting: 'waits, flagged',
    asked: 'waits, coach asked, flagged',
    closed: 'waits, flagged',
  }),

  // People and their data
  'Ann is deactivated': row([]),
  'Ann’s account is deleted': row([], all('has records')),
  'Ann leaves the school': row([]),
  'Ann downloads her data': row([]),
  'Ann’s personal data is erased': row([], NOT_ASKED),
  'a list of people that includes Ann is imported and undone': row([]),
  'Ann’s account is merged into her other account': row([]),
  'Ann’s account is merged into her other account and unmerged': row([]),
  // The person who decided, or could have made the activity trusted, becomes the owner of the hours.
  'Ann’s account is merged into Maria’s': row(
    ['entry.reopen'],
    each(['verified', 'adjusted', 'trusted', 'reopen', ...DECLINED], 'waits'),
  ),
  'Maria is deactivated': row([]),
  'Maria’s account is deleted': row([], all('has records')),
  'Maria is no longer a coordinator': row([]),
  'Maria’s account is merged into her other account': row([]),
  'Maria’s personal data is erased': row(
    [],
    Object.fromEntries(
      NAMES.map((state) => [state, STATES[state][1]])
        .filter(([, seen]) => seen?.includes('Maria'))
        .map(([state, seen]) => [state, seen?.replace('Maria', 'Former volunteer')]),
    ),
  ),
  'retention deletes the hours': row([], all('gone')),
} as const satisfies Record<string, Row>;

export type Event = keyof typeof TABLE;
