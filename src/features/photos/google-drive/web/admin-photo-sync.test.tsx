import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { NotConfigured } from './admin-photo-sync.tsx';

afterEach(cleanup);

test('Connect Google Drive explains that Google is not set up, and shows the redirect URL', () => {
  render(<NotConfigured redirectUrl="https://hours.example.org/api/google-drive/callback" />);
  expect(screen.queryByText(/is not set up on this server/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Connect Google Drive' }));
  expect(screen.getByText(/is not set up on this server/)).toBeTruthy();
  expect(screen.getByDisplayValue('https://hours.example.org/api/google-drive/callback')).toBeTruthy();
});
