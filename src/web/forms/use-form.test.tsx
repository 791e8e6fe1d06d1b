import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { messages } from '#features/users/contract.ts';
import { requiredText } from '#shared/text-normalization.ts';
import { CallError } from '../api/call.ts';
import { Button } from '../ui/button.tsx';
import { FormMessage } from '../ui/notice.tsx';
import { TextField } from '../ui/text-field.tsx';
import { notify } from '../ui/toasts.ts';
import { useForm } from './use-form.ts';

afterEach(cleanup);

const Person = z.object({
  lastName: requiredText(60, messages.namesRequired),
  firstName: requiredText(60, messages.namesRequired),
  email: requiredText(60, messages.emailRequired),
});

function PersonForm({ send }: { send: (input: z.infer<typeof Person>) => Promise<void> }) {
  const form = useForm({
    schema: Person,
    initial: { firstName: '', lastName: '', email: '' },
    check: ({ email }) => ({ email: email === 'no' ? messages.emailInvalid : undefined }),
    send,
    failed: messages.registrationFailed,
  });
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <TextField label="First" {...form.field('firstName')} />
      <TextField label="Last" {...form.field('lastName')} />
      <TextField label="Email" {...form.field('email')} />
      <FormMessage message={form.message} summary={form.summary} />
      <Button type="submit" isBusy={form.isSending}>
        Send
      </Button>
    </form>
  );
}

function show(send = vi.fn(async (_: z.infer<typeof Person>) => {})) {
  render(<PersonForm send={send} />);
  return send;
}

function fill(values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) {
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  }
}

const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Send' }));
const described = (label: string) =>
  document.getElementById(screen.getByLabelText(label).getAttribute('aria-describedby') ?? '')?.textContent;

test('a form sends values that the browser filled in without an event', async () => {
  const send = show();
  fill({ First: 'Ana', Last: 'Lopez' });
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  // Bypasses React, like an autofill without an event.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(email, 'ana@b');
  submit();
  await waitFor(() => expect(send.mock.calls[0]?.[0]).toMatchObject({ email: 'ana@b' }));
});

test('a form sends the values parsed by the schema', async () => {
  const send = show();
  fill({ First: ' Ana ', Last: 'Lopez', Email: 'a@b' });
  submit();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  expect(send.mock.calls[0]?.[0]).toEqual({ firstName: 'Ana', lastName: 'Lopez', email: 'a@b' });
});

test('a form shows errors under their fields, focuses the first one, and sends nothing', () => {
  const send = show();
  submit();
  expect(described('First')).toBe('First name and last name are required');
  expect(described('Email')).toBe('Email address is required');
  expect(document.activeElement).toBe(screen.getByLabelText('First'));
  expect(send).not.toHaveBeenCalled();
});

test('a form shows an error shared by two fields once, and announces it for both', () => {
  show();
  submit();
  const errors = screen.getAllByText('First name and last name are required');
  expect(errors.filter((one) => !one.className.includes('sr-only'))).toHaveLength(1);
  expect(described('Last')).toBe('First name and last name are required');
});

test('a form announces all errors in one message', () => {
  show();
  submit();
  expect(screen.getByRole('alert').textContent).toBe(
    '3 things to fix: First name and last name are required. Email address is required',
  );
});

test('a form shows the error of a form rule under its field', () => {
  show();
  fill({ First: 'Ana', Last: 'Lopez', Email: 'no' });
  submit();
  expect(described('Email')).toBe('Please enter a valid email address');
});

test('typing clears the error of a field', () => {
  show();
  submit();
  fill({ Email: 'a' });
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBeNull();
  expect(screen.getByLabelText('First').getAttribute('aria-invalid')).toBe('true');
});

test("a form shows the server's field errors under the fields", async () => {
  show(
    vi.fn(() =>
      Promise.reject(
        new CallError(409, 'An account exists', true, { email: 'Taken', role: 'No such field' }),
      ),
    ),
  );
  fill({ First: 'Ana', Last: 'Lopez', Email: 'a@b' });
  submit();
  await waitFor(() => expect(described('Email')).toBe('Taken'));
  expect(document.activeElement).toBe(screen.getByLabelText('Email'));
});

test.each([
  [new CallError(401, 'Invalid email or password', true), 'Invalid email or password'],
  [new CallError(502, 'Request failed', false), 'Registration failed'],
  [new CallError(400, 'Not so', true, { role: 'No field of this form' }), 'Not so'],
])('a form shows an error without a field as an alert (%#)', async (error, text) => {
  show(vi.fn(() => Promise.reject(error)));
  fill({ First: 'Ana', Last: 'Lopez', Email: 'a@b' });
  submit();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text));
});

test('a form ignores a second submit while the first is in progress', async () => {
  let finish = () => {};
  const send = show(
    vi.fn(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    ),
  );
  fill({ First: 'Ana', Last: 'Lopez', Email: 'a@b' });
  submit();
  submit();
  fireEvent.submit(screen.getByLabelText('Email').closest('form') ?? document.body);
  finish();
  await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-disabled')).toBeNull());
  expect(send).toHaveBeenCalledTimes(1);
});

test.each([
  [new CallError(503, 'x', false), ['Registration failed']],
  [new CallError(409, 'Somebody was faster', true), ['Somebody was faster']],
  [new CallError(400, 'Not this', true, { email: 'Not this' }), ['Not this']],
  [new CallError(401, 'Authentication required', true), []],
])('a form that was left shows %s as a notice, unless the session ended', async (error, expected) => {
  const notified = vi.spyOn(notify, 'failure').mockReturnValue(0);
  let refuse = (_: CallError) => {};
  show(vi.fn(() => new Promise<void>((_, reject) => (refuse = reject))));
  fill({ First: 'Ana', Last: 'Lopez', Email: 'a@b' });
  submit();
  cleanup();
  refuse(error);
  await new Promise((resolve) => setTimeout(resolve));
  expect(notified.mock.calls.flat()).toEqual(expected);
  notified.mockRestore();
});

const Team = z.object({
  people: z.array(z.object({ hours: z.number(messages.namesRequired) })),
  email: requiredText(60, messages.emailRequired),
});

function TeamForm({ send }: { send: () => Promise<void> }) {
  const form = useForm({
    schema: Team,
    initial: { people: [{ hours: 1 }, { hours: 2 as number | undefined }], email: 'a@b' },
    send,
  });
  return (
    <form noValidate onSubmit={form.onSubmit}>
      {form.values.people.map(({ hours }, at) => (
        <label key={`${hours}`}>
          <input data-at-fault={form.rowError('people', at) === undefined ? undefined : ''} />
          {form.rowError('people', at) ?? 'fine'}
        </label>
      ))}
      <button type="button" onClick={() => form.set('people', [{ hours: 1 }, { hours: undefined }])}>
        Empty one
      </button>
      <FormMessage message={form.message} summary={form.summary} />
      <Button type="submit">Send</Button>
    </form>
  );
}

test("a form shows the server's error for a row next to the row until the rows change", async () => {
  const send = vi.fn(async () => {
    throw new CallError(400, 'Bob does not belong here', true, {
      'people.1.userId': 'Bob does not belong here',
    });
  });
  render(<TeamForm send={send} />);
  submit();
  await screen.findByLabelText('Bob does not belong here');
  expect(screen.getAllByRole('textbox').map((row) => row.closest('label')?.textContent)).toEqual([
    'fine',
    'Bob does not belong here',
  ]);
  expect(document.activeElement).toBe(screen.getByLabelText('Bob does not belong here'));
  expect(screen.getByText('One thing to fix: Bob does not belong here')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Empty one' }));
  expect(screen.queryByText('Bob does not belong here')).toBeNull();
});

test("a form shows the schema's error for a row next to the row, and sends nothing", async () => {
  const send = vi.fn(async () => {});
  render(<TeamForm send={send} />);
  fireEvent.click(screen.getByRole('button', { name: 'Empty one' }));
  submit();
  expect(screen.getAllByRole('textbox').map((row) => row.closest('label')?.textContent)).toEqual([
    'fine',
    'First name and last name are required',
  ]);
  expect(send).not.toHaveBeenCalled();
});
