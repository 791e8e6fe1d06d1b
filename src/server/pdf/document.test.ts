import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPdf } from '#test/pdf.ts';
import { findPdfUaViolations } from '#test/pdf-ua.ts';
import { type PdfBlock, renderPdf } from './document.ts';

const SIGNED: readonly PdfBlock[] = [
  { kind: 'text', text: 'Vera Volt gave hours.' },
  { kind: 'signatures', labels: ['Signed by the volunteer', 'Date'] },
];

test('signature lines are on the same page as the last row', async () => {
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

test('a school with one signed row has its heading on that page', async () => {
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

test('later pages start with the name, the period and the school', async () => {
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

test('every tagged section of a page is closed once', async () => {
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

test.each([
  ['display of the title', '/DisplayDocTitle true', '/DisplayDocTitle null', '7.1: the window shows'],
  ['the marker of a tagged file', '/Marked true', '/Marked null', '7.1: the document is not marked'],
  ['the language', '/Lang (en)', '/Lung (en)', '7.2: no language'],
  ['the alternative text of an image', '/Alt (Bars)', '/Att (Bars)', '7.3: picture'],
  ['the level of a heading', '/S /H2', '/S /H3', '7.4.2: a heading 3 after 1'],
  ['the scope of a header cell', '/Scope /Row', '/Scope /Raw', '7.5: head'],
  ['the rows of a table', '/S /TR', '/S /LI', '7.5: table'],
  ['a kind of element', '/S /P\n', '/S /Q\n', '7.1: element'],
  ['the content of an element', '/MCID 2', '/MCID 9', '7.1: an element has content that is not there'],
  ['the character map of a font', '/ToUnicode', '/NoUnicode', '7.21.7: letters'],
  ['a font', '/FontFile2', '/FontFila2', '7.21.4.1: font'],
] as const)('the PDF/UA-1 check reports a missing part: %s', async (_, kept, broken, fault) => {
  const bytes = await bytesWith([
    { kind: 'heading', text: 'Cedar Middle' },
    tableOf('Row', 2),
    { kind: 'bars', alt: 'Bars', bars: [{ name: 'Bar', text: '1 h', share: 0.5 }] },
    ...SIGNED,
  ]);
  expect(findPdfUaViolations(bytes)).toEqual([]);
  const source = unpacked(bytes);
  expect(source).toContain(kept);
  const found = findPdfUaViolations(Buffer.from(source.replaceAll(kept, broken), 'latin1'));
  expect(found.join('\n')).toContain(fault);
});

test('a name is escaped in the metadata and unchanged in the title', async () => {
  const title = "Ann <</A 1>> & O'Lee";
  const bytes = await buffer(renderPdf({ title, language: 'en', foot: '', page: '', blocks: [] }));
  const source = bytes.toString('latin1');
  expect(source).toContain('<rdf:li xml:lang="x-default">Ann &lt;&lt;/A 1&gt;&gt; &amp; O&#39;Lee</rdf:li>');
  expect(source).toContain(`(${title})`);
});

/** The same file with what draws its pages in the open. */
function unpacked(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(
      /(<<\n\/Length \d+\n)\/Filter \/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g,
      (_, head: string, data: string) =>
        `${head}>>\nstream\n${inflateSync(Buffer.from(data, 'latin1')).toString('latin1')}\nendstream`,
    );
}

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
  return readPdf(await bytesWith(blocks));
}

async function bytesWith(blocks: readonly PdfBlock[]): Promise<Buffer> {
  const pdf = renderPdf({
    title: 'Hours report',
    language: 'en',
    foot: '',
    page: 'Page {page} ends.',
    blocks: [{ kind: 'title', text: 'Hours report', under: ['Vera Volt', 'Mar 1 to Mar 31'] }, ...blocks],
  });
  return buffer(pdf);
}
