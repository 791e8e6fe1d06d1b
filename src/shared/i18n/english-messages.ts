import type { MessageCatalogs } from './message-catalog.ts';
import { server } from './server-messages.ts';
import { signIn } from './sign-in-messages.ts';
import { staff } from './staff-messages.ts';
import { volunteer } from './volunteer-messages.ts';

type All = typeof signIn & typeof volunteer & typeof staff & typeof server;

/** All English messages by namespace: those of the server, and those of the browser with the Admin Panel open. */
export const en = together(signIn, volunteer, staff, server) as All;

function together(...catalogues: readonly MessageCatalogs[]): MessageCatalogs {
  const all: Record<string, MessageCatalogs[string]> = {};
  for (const texts of catalogues) {
    for (const [room, words] of Object.entries(texts)) all[room] = { ...all[room], ...words };
  }
  return all;
}
