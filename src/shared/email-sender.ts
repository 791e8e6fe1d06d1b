import { PLAIN_ADDRESS } from './email-address.ts';

const SENDER = new RegExp(
  String.raw`^(?:([^<>"\p{Cc}]{0,120})<(${PLAIN_ADDRESS})>|(${PLAIN_ADDRESS}))$`,
  'u',
);

/** How long a sender may be, in characters. */
export const SENDER_LENGTH = 254;

/** Whom mail is from; `name` is blank when only the address was named. */
export type Sender = Readonly<{ name: string; address: string }>;

/** Reads 'hours@example.org' or 'Maple Grove Schools <hours@example.org>'; undefined when it is neither. */
export function readSender(text: string): Sender | undefined {
  const [, name = '', named, bare] = SENDER.exec(text) ?? [];
  const address = named ?? bare;
  return address === undefined ? undefined : { name: name.trim(), address };
}

/** Whom mail is from: what is set, and for what is missing there the district's name and support address. */
export function senderOf(
  from: string | undefined,
  { districtName, supportEmail }: Readonly<{ districtName: string; supportEmail: string }>,
): Sender {
  const { name = '', address = supportEmail } = readSender(from ?? '') ?? {};
  return { name: name || districtName, address };
}

/** What a new district and its first administrator are called until somebody says otherwise. */
export const STANDARD = {
  districtName: 'Our School District',
  supportEmail: 'support@example.org',
  firstName: 'District',
  lastName: 'Administrator',
} as const;
