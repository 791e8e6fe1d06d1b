import { parseUrl } from './parse-url.ts';
import { normalizeLine } from './text-normalization.ts';

/**
 * The pattern of one plain address, without anything that a mail library interprets: a comment, a group, a
 * quoted name or a route (RFC 5322).
 */
export const PLAIN_ADDRESS = String.raw`[^\s@<>()[\]\\:,;"\p{C}]+@[\p{L}\p{M}\p{N}_\-]+(?:\.[\p{L}\p{M}\p{N}_\-]+)*`;

/** Matches an address and nothing else. */
export const ADDRESS = new RegExp(`^${PLAIN_ADDRESS}$`, 'u');

/** Normalizes an address for storage: removes characters that come from web pages or copied links. */
export function cleanEmail(email: string): string {
  return normalizeLine(email)
    .replace(/[\u200C\u200D]/g, '')
    .replace(/^mailto:/i, '');
}

/**
 * The mailbox of an email address, to compare whether two addresses reach the same person. Ignores case, dots at Gmail, and a
 * '+tag' at the providers in `TAGGING`. Do not send to it: some servers distinguish 'Ann' from 'ann'.
 */
export function canonicalMailbox(email: string): string {
  const [local = '', domain = ''] = splitAt(email.normalize('NFKC').trim().toLowerCase());
  const name = TAGGING.has(domain) ? (local.split('+', 1)[0] ?? '') : local;
  return IGNORING_DOTS.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** Whether two addresses reach the same mailbox. */
export function isSameMailbox(one: string, other: string): boolean {
  return canonicalMailbox(one) === canonicalMailbox(other);
}

/**
 * The owner of an address, compared as strictly as is useful: ignores invisible characters, a '+tag' at any domain, a final
 * dot, the spelling of an international domain and the several domains of one provider. Use it only to prevent people from
 * verifying their own hours. Treating two people as one costs only a message there, while treating one person as two would let
 * them verify themselves.
 */
export function canonicalOwner(email: string): string {
  const [local, domain] = splitAt(email.replaceAll(INVISIBLE, ''));
  const ascii = asciiDomain(domain.replace(/[.\u3002]+$/u, ''));
  const mailbox = canonicalMailbox(`${local}@${SAME_PROVIDER.get(ascii.toLowerCase()) ?? ascii}`);
  return mailbox.replace(/(?<=.)\+.*(?=@)/u, '');
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\s]/gu;

function asciiDomain(domain: string): string {
  return parseUrl(`http://${domain}`)?.hostname ?? domain;
}

function splitAt(address: string): [string, string] {
  const at = address.lastIndexOf('@');
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
}

// Sources: https://support.google.com/mail/answer/7436150,
// https://learn.microsoft.com/exchange/recipients-in-exchange-online/plus-addressing-in-exchange-online,
// https://support.apple.com/guide/icloud/mm6b1a490a, https://proton.me/support/creating-aliases.
const IGNORING_DOTS = new Set(['gmail.com', 'googlemail.com']);
const SAME_PROVIDER = new Map([
  ['me.com', 'icloud.com'],
  ['mac.com', 'icloud.com'],
  ['pm.me', 'proton.me'],
  ['protonmail.com', 'proton.me'],
]);
const TAGGING = new Set([
  ...IGNORING_DOTS,
  'outlook.com',
  'hotmail.com',
  'live.com',
  'msn.com',
  'icloud.com',
  'me.com',
  'mac.com',
  'proton.me',
  'protonmail.com',
  'fastmail.com',
  'yahoo.com',
]);
