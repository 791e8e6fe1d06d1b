import { sayFrom } from './message.ts';
import type text from './text.en.json';

const say = sayFrom<typeof text>('base');

/** Messages that no single room owns. */
export const baseMessages = {
  requestFailed: say('requestFailed'),
  networkError: say('networkError'),
  sessionEnded: say('sessionEnded'),
  invalidBody: say('invalidBody'),
  invalidRequest: say('invalidRequest'),
  date: say('date'),
  cursor: say('cursor'),
  limit: say('limit'),
  search: say('search'),
  required: say('required'),
  number: say('number'),
  tooLong: (max: number) => say('tooLong', { max }),
  authenticationRequired: say('authenticationRequired'),
  adminRequired: say('adminRequired'),
  freshProofRequired: say('freshProofRequired'),
  notConfirmed: say('notConfirmed'),
  notFound: say('notFound'),
  methodNotAllowed: say('methodNotAllowed'),
  unsupportedType: say('unsupportedType'),
  filesExpected: say('filesExpected'),
  tooLarge: say('tooLarge'),
  tooManyAttempts: say('tooManyAttempts'),
  timedOut: say('timedOut'),
  storageFull: say('storageFull'),
  unavailable: say('unavailable'),
  busy: say('busy'),
  reportsBusy: say('reportsBusy'),
  reportsOfYours: say('reportsOfYours'),
  tooSlow: say('tooSlow'),
  diskFull: say('diskFull'),
  readOnly: say('readOnly'),
  folderGone: say('folderGone'),
  starting: say('starting'),
  outdated: say('outdated'),
  keyReused: say('keyReused'),
  changedElsewhere: say('changedElsewhere'),
} as const;
