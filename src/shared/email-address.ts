import { normalizeLine } from './text-normalization.ts';

/**
 * The pattern of one plain address. It has nothing that a mail library reads as more than that: a comment, a group, a quoted
 * name or a route (RFC 5322).
 */
export const PLAIN_ADDRESS = String.raw`[^\s@<>()[\]\\:,;"\p{C}]+@[\p{L}\p{M}\p{N}_\-]+(?:\.[\p{L}\p{M}\p{N}_\-]+)*`;

/** An address, and nothing else. */
export const ADDRESS = new RegExp(`^${PLAIN_ADDRESS}$`, 'u');

/** An address as it is stored, without what a web page or a copied link brings along. */
export function cleanEmail(email: string): string {
  return normalizeLine(email)
    .replace(/[\u200C\u200D]/g, '')
    .replace(/^mailto:/i, '');
}

/**
 * The mailbox behind an e-mail address, for telling whether two addresses reach the same person: case is ignored, and so
 * are a '+tag' and, at Gmail, dots. Not for writing to: some servers tell 'Ann' from 'ann'.
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
 * The person whom an address belongs to, as strictly as is useful: invisible characters, a '+tag' at any domain, a final
 * dot, the spelling of an international domain and the several domains of one provider are ignored. Only for whether people
 * verify their own hours, where two people taken for one get a message and one person taken for two verifies themselves.
 */
export function canonicalOwner(email: string): string {
  const [local, domain] = splitAt(email.replaceAll(INVISIBLE, ''));
  const ascii = asciiDomain(domain.replace(/[.\u3002]+$/u, ''));
  const mailbox = canonicalMailbox(`${local}@${SAME_PROVIDER.get(ascii.toLowerCase()) ?? ascii}`);
  return mailbox.replace(/(?<=.)\+.*(?=@)/u, '');
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\s]/gu;

function asciiDomain(domain: string): string {
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain;
}

function splitAt(address: string): [string, string] {
  const at = address.lastIndexOf('@');
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
}

// What the providers say of themselves: https://support.google.com/mail/answer/7436150,
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
