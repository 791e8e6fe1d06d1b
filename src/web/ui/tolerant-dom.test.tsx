import './tolerant-dom.ts';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';

afterEach(cleanup);

function Search() {
  const [query, setQuery] = useState('');
  const found = query.length;
  return (
    <form>
      <input aria-label="search" value={query} onChange={(event) => setQuery(event.target.value)} />
      <p>
        {found > 0 && <b>busy</b>}
        {found === 0 && 'Start typing'}
        {found === 1 && 'one found'}
        {found > 1 && 'several found'}
      </p>
    </form>
  );
}

const textsOf = (root: Node) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
};
const wrap = (text: Text) => {
  const font = document.createElement('font');
  text.replaceWith(font);
  font.append(text);
};
const replace = (text: Text) => {
  const font = document.createElement('font');
  font.textContent = `[${text.data}]`;
  text.replaceWith(font);
};

const type = (query: string) =>
  fireEvent.change(screen.getByLabelText('search'), { target: { value: query } });

test.each([
  ['wraps', wrap],
  ['replaces', replace],
  ['removes', (text: Text) => text.remove()],
])('the page still works after an extension %s its text nodes', (_, change) => {
  render(<Search />);
  for (const query of ['a', 'ab', '', 'a']) {
    textsOf(document.body).forEach(change);
    type(query);
    expect(screen.getByLabelText<HTMLInputElement>('search').value).toBe(query);
  }
  textsOf(document.body).forEach(change);
  type('abc');
  expect(screen.getByText('several found')).toBeTruthy();
});
