import { inflateSync } from 'node:zlib';

/** The content of a PDF: its text in order, the number of tags, and its metadata. */
export type ReadPdf = Readonly<{
  text: string;
  /** How many elements of each kind ('H1', 'TH'). */
  tags: Readonly<Record<string, number>>;
  /** The content stream of each page. */
  contents: readonly string[];
  /** Everything outside of streams. */
  frame: string;
}>;

/** Parses a PDF of `src/server/pdf`, whose fonts map every glyph to letters. */
export function readPdf(bytes: Buffer): ReadPdf {
  const source = bytes.toString('latin1');
  const objects = new Map(
    [...source.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map((found) => [found[1] ?? '', found[2] ?? '']),
  );
  const streamOf = (id: string) => {
    const body = objects.get(id) ?? '';
    const from = body.indexOf('stream\n') + 7;
    const data = Buffer.from(body.slice(from, body.lastIndexOf('\nendstream')), 'latin1');
    return body.includes('/FlateDecode') ? inflateSync(data).toString('latin1') : data.toString('latin1');
  };
  const glyphs = new Map<string, ReadonlyMap<string, string>>();
  for (const page of objects.values()) {
    for (const font of page.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const [, map] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font[2] ?? '') ?? '') ?? [];
      if (map !== undefined) glyphs.set(font[1] ?? '', lettersIn(streamOf(map)));
    }
  }
  const contents = [...objects.values()].flatMap((body) =>
    /\/Type \/Page\n/.test(body) ? [streamOf(/\/Contents (\d+) 0 R/.exec(body)?.[1] ?? '')] : [],
  );
  const tags: Record<string, number> = {};
  for (const body of objects.values()) {
    const [, tag] = /\/S \/(\w+)/.exec(body) ?? [];
    if (tag !== undefined && body.includes('/P ')) tags[tag] = (tags[tag] ?? 0) + 1;
  }
  const text = contents.map((content) => wordsIn(content, glyphs)).join('\n');
  return { text, contents, tags, frame: source };
}

function lettersIn(map: string): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  for (const [, first = '', list = ''] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi)) {
    for (const [index, [, code = '']] of [...list.matchAll(/<([0-9a-f ]+)>/gi)].entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0');
      const units = code.replaceAll(' ', '').match(/.{4}/g) ?? [];
      letters.set(glyph, String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))));
    }
  }
  return letters;
}

function wordsIn(content: string, glyphs: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let font = '';
  const lines: string[] = [];
  for (const [, chosen, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (chosen !== undefined) font = chosen;
    if (shown === undefined) continue;
    const codes = [...shown.matchAll(/<([0-9a-f]+)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    lines.push(codes.map((code) => glyphs.get(font)?.get(code) ?? '?').join(''));
  }
  return lines.join('\n');
}
