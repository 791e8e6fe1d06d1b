import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Button } from './button.tsx';

afterEach(cleanup);

test('a busy button shows its busy text even if the browser has translated the page', () => {
  const { rerender } = render(<Button>Sign in</Button>);
  const button = screen.getByRole('button');
  const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
  walker.nextNode();
  const text = walker.currentNode as Text;
  const font = document.createElement('font');
  font.textContent = 'Iniciar sesión';
  text.replaceWith(font);
  rerender(
    <Button isBusy busyText="Signing in...">
      Sign in
    </Button>,
  );
  expect(screen.getByRole('button').textContent).toBe('Signing in...');
});
