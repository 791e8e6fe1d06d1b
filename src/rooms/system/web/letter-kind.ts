import type { Text, TextKey } from '#web/lib/text.ts';

/** The kinds of letters by what they begin with: an identifier or what happened may follow ('invite-12'). */
const KINDS: Readonly<Record<string, TextKey>> = {
  invite: 'system:kindInvite',
  welcome: 'system:kindWelcome',
  'reset-link': 'system:kindResetLink',
  'confirm-address': 'system:kindConfirmAddress',
  'already-known': 'system:kindAlreadyKnown',
  'address-taken': 'system:kindAddressTaken',
  'address-changed': 'system:kindAddressChanged',
  'password-changed': 'system:kindPasswordChanged',
  'sign-in-link': 'system:kindSignInLink',
  'new-device': 'system:kindNewDevice',
  accessibility: 'system:kindAccessibility',
  passkey: 'system:kindPasskey',
  'second-proof': 'system:kindSecondProof',
  provider: 'system:kindProvider',
  'attached-ended': 'system:kindAttachedEnded',
  'membership-decided': 'system:kindMembershipDecided',
  'account-merge': 'system:kindAccountMerge',
  'retention-shortened': 'system:kindRetention',
  erased: 'system:kindErased',
  'erasure-declined': 'system:kindErasureDeclined',
  'suggestion-digest': 'system:kindSuggestionDigest',
  suggestion: 'system:kindSuggestion',
  'photo-takedown': 'system:kindPhotoTakedown',
  'photo-takedowns': 'system:kindPhotoTakedowns',
  'waiting-hours': 'system:kindWaitingHours',
  'outside-verifier': 'system:kindOutsideVerifier',
  'event-reminder': 'system:kindEventReminder',
  'weekly-summary': 'system:kindWeeklySummary',
  'to-many': 'system:kindToMany',
  backup: 'system:kindBackup',
  server: 'system:kindServer',
  test: 'system:kindTest',
};

/** What an email in the queue is about, in words; a kind that nobody has named stays as it is. */
export function kindInWords(kind: string, { t }: Pick<Text, 't'>): string {
  const names = Object.keys(KINDS).filter((name) => kind === name || kind.startsWith(`${name}-`));
  const [longest = ''] = names.toSorted((a, b) => b.length - a.length);
  const key = KINDS[longest];
  return key === undefined ? kind : t(key);
}
