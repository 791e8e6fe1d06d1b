import * as z from 'zod';
import type { GoogleSettings } from '../config.ts';
import { failureIn } from './failure.ts';
import { outboundTo } from './outbound.ts';

/** Whose Drive it is: the account's address, else its name, else nothing. */
export async function accountOf(google: GoogleSettings, accessToken: string): Promise<string | null> {
  const url = new URL(`${google.apiUrl}/drive/v3/about`);
  url.searchParams.set('fields', 'user(displayName,emailAddress)');
  const response = await outboundTo(google)(url, { headers: { authorization: `Bearer ${accessToken}` } });
  if (!response.ok) throw await failureIn(response);
  const { user } = About.parse(await response.json());
  return user.emailAddress ?? user.displayName ?? null;
}

const About = z.object({
  user: z.object({ displayName: z.string().optional(), emailAddress: z.string().optional() }),
});
