import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { dropToken, endSession, startSession } from '../api/session.ts';
import { TextField } from '../ui/text-field.tsx';
import { ToastRegion } from '../ui/toast-region.tsx';
import { notify } from '../ui/toasts.ts';
import { setDraftOwner, storeDrafts } from './drafts.ts';
import { useForm } from './use-form.ts';

const [ANA, BEN] = [7, 8];

beforeEach(() => {
  startSession('abc');
  setDraftOwner(ANA);
});
afterEach(() => {
  cleanup();
  endSession();
  notify.closeAll();
});

function Note({ draft = 'note 1' }: { draft?: string }) {
  const form = useForm({
    schema: z.object({ note: z.string() }),
    initial: { note: 'as stored' },
    draft,
    send: async () => {},
  });
  return <TextField label="Note" {...form.field('note')} />;
}

const typed = () => screen.getByLabelText<HTMLInputElement>('Note').value;
function type(note: string) {
  render(<Note />);
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: note } });
}
function signInAgain(userId: number) {
  dropToken('abc');
  cleanup();
  startSession('def');
  setDraftOwner(userId);
}

test('a form restores input from an ended session of the same account', () => {
  type('half a note');
  render(<ToastRegion />);
  signInAgain(ANA);
  render(<Note />);
  expect(typed()).toBe('half a note');
});

test('a notice explains that the session has ended', () => {
  dropToken('abc');
  render(<ToastRegion />);
  expect(screen.getByText(/Your session has ended/)).toBeTruthy();
});

test('no notice appears if an expired session is found at startup', () => {
  endSession();
  startSession('old');
  dropToken('old');
  render(<ToastRegion />);
  expect(screen.queryByText(/Your session has ended/)).toBeNull();
});

test.each([
  ['to another account', () => signInAgain(BEN), <Note key="note" />],
  ['in the form of another record', () => signInAgain(ANA), <Note key="note" draft="note 2" />],
])('a form does not restore a draft %s', (_, come, form) => {
  type('half a note');
  come();
  render(form);
  expect(typed()).toBe('as stored');
});

test('signing out deletes drafts', () => {
  type('half a note');
  endSession();
  cleanup();
  startSession('def');
  setDraftOwner(ANA);
  render(<Note />);
  expect(typed()).toBe('as stored');
});

test('stored drafts are restored after a reload', async () => {
  type('half a note');
  expect(storeDrafts()).toBe(1);
  cleanup();
  vi.resetModules();
  const page = { ...(await import('./drafts.ts')), ...(await import('./use-form.ts')) };
  page.setDraftOwner(ANA);
  expect(page.draftOf('note 1')).toEqual({ note: 'half a note' });
  expect(sessionStorage.length).toBe(0);
});
