import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readPdf } from '#test/pdf.ts';
import { type PdfBlock, pdfOf } from './document.ts';

const SIGNED: readonly PdfBlock[] = [
  { kind: 'text', text: 'Vera Volt gave hours.' },
  { kind: 'signatures', labels: ['Signed by the volunteer', 'Date'] },
];

test('signatures stand on a page with the last row of what is signed', async () => {
  const counts: number[] = [];
  for (const rows of [20, 21, 22, 23, 24, 25]) {
    const pages = await pagesOf([tableOf('Row', rows), ...SIGNED]);
    counts.push(pages.length);
    expect(pages.join(' ').match(/Row \d+/g), `${rows} rows`).toHaveLength(rows);
    expect(pages.at(-1), `${rows} rows`).toMatch(new RegExp(`Row ${rows} .* Signed by the volunteer`));
  }
  // Both are among them.
  expect(new Set(counts)).toEqual(new Set([1, 2]));
});

test('a school with one row that is signed has its heading on that page', async () => {
  for (const rows of [16, 17, 18, 19, 20]) {
    const pages = await pagesOf([
      tableOf('Row', rows),
      { kind: 'heading', text: 'Cedar Middle' },
      tableOf('Garden', 1),
      ...SIGNED,
    ]);
    expect(pages.at(-1), `${rows} rows`).toMatch(/Cedar Middle .*Garden 1 .* Signed by the volunteer/);
  }
});

test('further pages begin with whom and what they are about', async () => {
  const pages = await pagesOf([
    { kind: 'heading', text: 'Cedar Middle' },
    tableOf('Row', 60),
    { kind: 'heading', text: 'Adams' },
    tableOf('Line', 40),
  ]);
  const heads = pages.map(
    (page) => /Vera Volt · Mar 1 to Mar 31(?: · [A-Z][a-z]+(?: Middle)?)?/.exec(page)?.[0],
  );
  expect(heads).toEqual([
    undefined,
    'Vera Volt · Mar 1 to Mar 31 · Cedar Middle',
    'Vera Volt · Mar 1 to Mar 31 · Cedar Middle',
    'Vera Volt · Mar 1 to Mar 31 · Adams',
  ]);
});

test('every marked part of a page is closed once', async () => {
  const bars = Array.from({ length: 80 }, (_, at) => ({ name: `Bar ${at}`, text: '1 h', share: 0.5 }));
  const { contents } = await pdfWith([tableOf('Row', 60), { kind: 'bars', alt: 'Bars', bars }, ...SIGNED]);
  expect(contents.length).toBeGreaterThan(3);
  for (const content of contents) {
    let open = 0;
    for (const [operator] of content.matchAll(/\b(BDC|BMC|EMC)\b/g)) {
      open += operator === 'EMC' ? -1 : 1;
      expect(open).toBeGreaterThanOrEqual(0);
    }
    expect(open).toBe(0);
  }
});

function tableOf(name: string, rows: number): PdfBlock {
  return {
    kind: 'table',
    columns: [
      { title: 'Activity', width: 0.8 },
      { title: 'Hours', width: 0.2, isNumber: true },
    ],
    rows: Array.from({ length: rows }, (_, row) => [`${name} ${row + 1}`, '1']),
    total: ['Total', String(rows)],
  };
}

/** The words of each page of a document with these blocks below a title. */
async function pagesOf(blocks: readonly PdfBlock[]): Promise<string[]> {
  const { text } = await pdfWith(blocks);
  const pages = text.replaceAll(/\s+/g, ' ').split(/Page \d+ ends\./);
  return pages.filter((page) => page.trim() !== '');
}

async function pdfWith(blocks: readonly PdfBlock[]) {
  const pdf = pdfOf({
    title: 'Statement',
    language: 'en',
    foot: '',
    page: 'Page {page} ends.',
    blocks: [{ kind: 'title', text: 'Statement', under: ['Vera Volt', 'Mar 1 to Mar 31'] }, ...blocks],
  });
  return readPdf(await buffer(pdf));
}
