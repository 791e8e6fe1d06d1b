import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PanelForm } from './panel-form.tsx';

afterEach(cleanup);

test('a panel form shows its question next to the button, outside the scrolling part', () => {
  render(
    <PanelForm
      form={{ onSubmit: async () => undefined, isSending: false, message: undefined, summary: undefined }}
      saveText="Log anyway"
      onCancel={() => undefined}
      question={<p>Some already have hours</p>}
    >
      <input aria-label="Volunteers" />
    </PanelForm>,
  );
  const foot = screen.getByRole('button', { name: 'Log anyway' }).closest('.sticky');
  expect(foot?.contains(screen.getByText('Some already have hours'))).toBe(true);
  expect(foot?.contains(screen.getByLabelText('Volunteers'))).toBe(false);
});
