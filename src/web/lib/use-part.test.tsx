import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePartAhead } from './use-part.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const load = vi.fn(async () => 'loaded');

function Screen({ isNeeded }: { isNeeded: boolean }) {
  return <p>{usePartAhead('a part', load, isNeeded).data ?? 'nothing yet'}</p>;
}

function show(isNeeded: boolean) {
  const client = new QueryClient();
  const at = (isNow: boolean) => (
    <QueryClientProvider client={client}>
      <Screen isNeeded={isNow} />
    </QueryClientProvider>
  );
  const { rerender } = render(at(isNeeded));
  return { need: () => rerender(at(true)) };
}

it('fetches a part before it is needed', async () => {
  show(false);
  expect(await screen.findByText('loaded')).toBeTruthy();
});

it('fetches nothing ahead where data is to be saved', async () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  load.mockClear();
  const shown = show(false);
  await new Promise((resolve) => setTimeout(resolve));
  expect(load).not.toHaveBeenCalled();
  shown.need();
  expect(await screen.findByText('loaded')).toBeTruthy();
});

it('waits with a part until all is answered, and renders nobody again meanwhile', async () => {
  vi.resetModules();
  const fresh = await import('./use-part.ts');
  load.mockClear();
  let renders = 0;
  function Waiting() {
    renders += 1;
    return <p>{fresh.usePartAhead('another part', load, false).data ?? 'nothing yet'}</p>;
  }
  const client = new QueryClient();
  const answers: ((answer: string) => void)[] = [];
  const ask = (name: string) =>
    client.fetchQuery({
      queryKey: [name],
      queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    });
  const asked = [ask('a'), ask('b'), ask('c')];
  render(
    <QueryClientProvider client={client}>
      <Waiting />
    </QueryClientProvider>,
  );
  const atFirst = renders;
  for (const answer of answers.slice(0, 2)) answer('here');
  await Promise.all(asked.slice(0, 2));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(load).not.toHaveBeenCalled();
  expect(renders).toBe(atFirst);
  answers[2]?.('here');
  expect(await screen.findByText('loaded')).toBeTruthy();
});

it('draws what waited for the screen to stand in one task each', async () => {
  vi.resetModules();
  const fresh = await import('./use-part.ts');
  const [tasks, drawn]: [number[], Set<string>] = [[], new Set()];
  let task = 0;
  const count = setInterval(() => {
    task += 1;
  });
  function Waiting({ name }: { name: string }) {
    if (fresh.useStands() && !drawn.has(name)) {
      drawn.add(name);
      tasks.push(task);
    }
    return null;
  }
  const NAMES = ['a', 'b', 'c'];
  render(
    <QueryClientProvider client={new QueryClient()}>
      {NAMES.map((name) => (
        <Waiting key={name} name={name} />
      ))}
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(drawn.size).toBe(NAMES.length));
  clearInterval(count);
  expect(new Set(tasks).size).toBe(NAMES.length);
});
