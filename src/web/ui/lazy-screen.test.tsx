import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ComponentType, useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { whenIdle } from '../api/network-idle.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyDialog, lazyScreen, rows, usePreload } from './lazy-screen.tsx';
import { ToastRegion } from './toast-region.tsx';
import { notify } from './toasts.ts';

const Hello = ({ name }: { name: string }) => <p>Hello {name}</p>;

afterEach(() => {
  cleanup();
  notify.closeAll();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('a lazy screen shows a placeholder until its code has loaded', async () => {
  const Screen = lazyScreen(async () => Hello, rows(3));
  const { container, unmount } = render(<Screen name="Ana" />);
  expect(container.textContent).not.toContain('Hello');
  expect(container.childElementCount).toBe(1);
  expect(await screen.findByText('Hello Ana')).toBeTruthy();
  unmount();
  render(<Screen name="Bo" />);
  expect(screen.getByText('Hello Bo')).toBeTruthy();
});

it('a lazy screen that fails to load offers Reload and Try again, and input around it stays', async () => {
  let load = async (): Promise<ComponentType<{ name: string }>> => {
    throw new TypeError('404');
  };
  const Screen = lazyScreen(() => load(), rows(3));
  render(
    <form>
      <input aria-label="Notes" />
      <Screen name="Ana" />
    </form>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('Notes');
  fireEvent.change(field, { target: { value: 'At the cash register' } });
  expect(await screen.findByText(/Network error/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  load = async () => Hello;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Hello Ana')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Notes').value).toBe('At the cash register');
});

it('a lazy screen passes its render errors to the error boundary of the page', async () => {
  // React reports the errors that a boundary catches.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const Faulty = () => {
    throw new Error('a fault');
  };
  const Screen = lazyScreen(async () => Faulty, rows(3));
  render(
    <ErrorBoundary>
      <Screen />
    </ErrorBoundary>,
  );
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeTruthy();
  expect(screen.queryByText(/Network error/)).toBeNull();
});

it('a lazy dialog that fails to load closes with a notice, and loads when opened again', async () => {
  let load = async (): Promise<ComponentType<{ isOpen: boolean; onClose: () => void }>> => {
    throw new TypeError('404');
  };
  const Dialog = lazyDialog(() => load());
  function Page() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setIsOpen(true)}>
          {isOpen ? 'Opened' : 'Open'}
        </button>
        <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
        <ToastRegion />
      </>
    );
  }
  render(<Page />);
  fireEvent.click(screen.getByText('Open'));
  expect(await screen.findByText(/Network error/)).toBeTruthy();
  expect(screen.getByText('Open')).toBeTruthy();
  load = async () => () => <p>The dialog</p>;
  fireEvent.click(screen.getByText('Open'));
  expect(await screen.findByText('The dialog')).toBeTruthy();
});

it('usePreload loads code ahead of its use, except in data-saver mode', async () => {
  const show = () => {
    const load = vi.fn(async () => Hello);
    const Screen = lazyScreen(load);
    const Page = () => {
      usePreload(Screen);
      return null;
    };
    render(<Page />);
    return load;
  };
  const ahead = show();
  await waitFor(() => expect(ahead).toHaveBeenCalledOnce());
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  const spared = show();
  await whenIdle();
  await Promise.resolve();
  expect(spared).not.toHaveBeenCalled();
});
