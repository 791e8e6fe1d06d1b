import type { MessageCatalogs } from './message-catalog.ts';
import { server } from './server-messages.ts';
import { signIn } from './sign-in-messages.ts';
import { staff } from './staff-messages.ts';
import { volunteer } from './volunteer-messages.ts';

type All = typeof signIn & typeof volunteer & typeof staff & typeof server;

/** Every English text by room: what the server reads, and what the browser has once the Admin Panel is open. */
export const en = together(signIn, volunteer, staff, server) as All;

function together(...catalogues: readonly MessageCatalogs[]): MessageCatalogs {
  const all: Record<string, MessageCatalogs[string]> = {};
  for (const texts of catalogues) {
    for (const [room, words] of Object.entries(texts)) all[room] = { ...all[room], ...words };
  }
  return all;
}
