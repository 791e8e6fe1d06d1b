import type { MessageKey, Text } from '#web/i18n/translate.ts';

/** The names of email kinds by prefix. An id or an event may follow, as in 'invite-12'. */
const KINDS: Readonly<Record<string, MessageKey>> = {
  invite: 'operations:kindInvite',
  welcome: 'operations:kindWelcome',
  'reset-link': 'operations:kindResetLink',
  'confirm-address': 'operations:kindConfirmAddress',
  'already-known': 'operations:kindAlreadyKnown',
  'address-taken': 'operations:kindAddressTaken',
  'address-changed': 'operations:kindAddressChanged',
  'password-changed': 'operations:kindPasswordChanged',
  'sign-in-link': 'operations:kindSignInLink',
  'new-device': 'operations:kindNewDevice',
  accessibility: 'operations:kindAccessibility',
  passkey: 'operations:kindPasskey',
  'second-proof': 'operations:kindSecondProof',
  provider: 'operations:kindProvider',
  'attached-ended': 'operations:kindAttachedEnded',
  'membership-decided': 'operations:kindMembershipDecided',
  'account-merge': 'operations:kindAccountMerge',
  'retention-shortened': 'operations:kindRetention',
  erased: 'operations:kindErased',
  'erasure-declined': 'operations:kindErasureDeclined',
  'suggestion-digest': 'operations:kindSuggestionDigest',
  suggestion: 'operations:kindSuggestion',
  'photo-takedown': 'operations:kindPhotoTakedown',
  'photo-takedowns': 'operations:kindPhotoTakedowns',
  'waiting-hours': 'operations:kindWaitingHours',
  'outside-verifier': 'operations:kindOutsideVerifier',
  'event-reminder': 'operations:kindEventReminder',
  'weekly-summary': 'operations:kindWeeklySummary',
  'to-many': 'operations:kindToMany',
  backup: 'operations:kindBackup',
  server: 'operations:kindServer',
  test: 'operations:kindTest',
};

/** Returns the name of an email's kind, or the kind itself if it has no name. */
export function emailKindLabel(kind: string, { t }: Pick<Text, 't'>): string {
  const names = Object.keys(KINDS).filter((name) => kind === name || kind.startsWith(`${name}-`));
  const [longest = ''] = names.toSorted((a, b) => b.length - a.length);
  const key = KINDS[longest];
  return key === undefined ? kind : t(key);
}
