import { inflateSync } from 'node:zlib';

type Name = Readonly<{ name: string }>;
type Ref = Readonly<{ ref: string }>;
type Dict = Readonly<{ [key: string]: Value }>;
type Value = string | number | boolean | null | Name | Ref | Dict | readonly Value[] | undefined;

/** The objects of a PDF, found by their markers instead of the cross-reference table. */
type Pdf = Readonly<{
  objects: ReadonlyMap<string, Value>;
  at: (value: Value) => Value;
  dict: (value: Value) => Dict;
  stream: (value: Value) => string;
}>;

type Part = Readonly<{ id: string; type: string; own: Dict; kids: readonly Part[]; marks: readonly Mark[] }>;
type Mark = Readonly<{ page: string; mcid: number }>;

const STANDARD = new Set(
  'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Figure Formula Form'.split(
    ' ',
  ),
);
/** Operators that begin marked content (with its tag and properties), end it, or paint. */
const OPERATORS =
  /\/(\w+)\s*(<<[\s\S]*?>>)?\s*B[DM]C\b|(?<=^|[\s\])>])(EMC|Tj|TJ|'|"|Do|f\*?|F|B\*?|b\*?|S|s|sh)(?=\s|$)/g;

/**
 * The violations of PDF/UA-1 that a program can find, each with its clause of ISO 14289-1:2014. No program can check whether an
 * image's alternative text or the reading order makes sense.
 */
export function findPdfUaViolations(bytes: Buffer): string[] {
  const pdf = parsed(bytes.toString('latin1'));
  const catalog = [...pdf.objects.values()].map(pdf.dict).find((own) => named(own['Type']) === 'Catalog');
  if (catalog === undefined) return ['7.1: no catalog'];
  const tree = treeOf(pdf, pdf.dict(catalog['StructTreeRoot']));
  const parts = tree.flatMap(within);
  return [
    ...ofDocument(pdf, catalog),
    ...ofContent(pdf, catalog, parts),
    ...ofElements(pdf, catalog, parts),
    ...ofHeadings(parts),
    ...parts.filter(({ type }) => type === 'Table').flatMap(ofTable),
    ...ofFonts(pdf),
  ];
}

function ofDocument(pdf: Pdf, catalog: Dict): string[] {
  const metadata = catalog['Metadata'] === undefined ? '' : pdf.stream(catalog['Metadata']);
  const title = /<dc:title>[\s\S]*?<rdf:li[^>]*>([^<]+)</.exec(metadata)?.[1] ?? '';
  const marked = pdf.dict(catalog['MarkInfo']);
  const objects = [...pdf.objects.values()].map(pdf.dict);
  return [
    ...unless(/<pdfuaid:part>1</.test(metadata), '5: the metadata do not say PDF/UA-1'),
    ...unless(marked['Marked'] === true && marked['Suspects'] !== true, '7.1: the document is not marked'),
    ...unless(title.trim() !== '', '7.1: no title in the metadata'),
    ...unless(
      pdf.dict(catalog['ViewerPreferences'])['DisplayDocTitle'] === true,
      '7.1: the window shows the name of the file and not the title',
    ),
    ...unless(/^[a-z]{2}(-[A-Z]{2})?$/.test(String(catalog['Lang'])), '7.2: no language'),
    ...unless(!objects.some((own) => own['XFA'] !== undefined), '7.15: a dynamic form'),
    ...unless(!objects.some((own) => own['Encrypt'] !== undefined), '7.16: encrypted'),
    ...pagesOf(pdf).flatMap(([page, own]) =>
      unless(
        own['Annots'] === undefined || named(own['Tabs']) === 'S',
        `7.18.3: page ${page} does not take its links in the order of the structure`,
      ),
    ),
  ];
}

// All painted content belongs to exactly one structure element or is an artifact.
function ofContent(pdf: Pdf, catalog: Dict, parts: readonly Part[]): string[] {
  const owners = new Map<string, string[]>();
  for (const { id, marks } of parts) {
    for (const { page, mcid } of marks) {
      owners.set(`${page} ${mcid}`, [...(owners.get(`${page} ${mcid}`) ?? []), id]);
    }
  }
  const numbers = pdf.at(pdf.dict(pdf.dict(catalog['StructTreeRoot'])['ParentTree'])['Nums']);
  const parents = Array.isArray(numbers) ? (numbers as readonly Value[]) : [];
  const shown = new Set<string>();
  const found = pagesOf(pdf).flatMap(([page, own]) => {
    const { marks, faults } = marksIn(pdf.stream(own['Contents']));
    const list = pdf.at(parents[parents.indexOf(own['StructParents']) + 1]);
    const back = marks.flatMap((mcid) => {
      shown.add(`${page} ${mcid}`);
      const [owner, ...others] = owners.get(`${page} ${mcid}`) ?? [];
      const parent = Array.isArray(list) ? (list[mcid] as Value) : undefined;
      return [
        ...unless(owner !== undefined, `7.1: content ${mcid} of page ${page} is in no element`),
        ...unless(others.length === 0, `7.1: content ${mcid} of page ${page} is in several elements`),
        ...unless(
          owner === undefined || refOf(parent) === owner,
          `7.1: content ${mcid} of page ${page} does not know its element`,
        ),
      ];
    });
    return [...faults.map((fault) => `7.1: ${fault} on page ${page}`), ...back];
  });
  const lost = [...owners.keys()].filter((one) => !shown.has(one));
  return [...found, ...lost.map((one) => `7.1: an element has content that is not there: ${one}`)];
}

/** The ids of a page's marked content, and faults: content painted outside of it, or nested marks. */
function marksIn(content: string): { marks: number[]; faults: string[] } {
  const open: ('artifact' | 'tagged')[] = [];
  const marks: number[] = [];
  const faults: string[] = [];
  const bare = content.replaceAll(/\((?:\\[\s\S]|[^\\()])*\)|<[0-9a-f\s]*>/gi, '()');
  for (const [match, tag, dict = '', operator] of bare.matchAll(OPERATORS)) {
    if (tag !== undefined) {
      const kind = tag === 'Artifact' ? 'artifact' : 'tagged';
      const number = /\/MCID (\d+)/.exec(dict)?.[1];
      if (open.length > 0) faults.push(`${kind} content within ${open.at(-1)} content`);
      if (kind === 'tagged' && number === undefined) faults.push('tagged content without a number');
      if (number !== undefined) marks.push(Number(number));
      open.push(kind);
    } else if (operator === 'EMC') {
      if (open.pop() === undefined) faults.push('an end without a beginning');
    } else if (open.length === 0) {
      faults.push(`'${match.trim()}' paints what is neither tagged nor decoration`);
    }
  }
  return { marks, faults: [...faults, ...open.map(() => 'marked content without an end')] };
}

function ofElements(pdf: Pdf, catalog: Dict, parts: readonly Part[]): string[] {
  const roles = pdf.dict(pdf.dict(catalog['StructTreeRoot'])['RoleMap']);
  return parts.flatMap(({ id, type, own }) => [
    ...unless(STANDARD.has(type) || roles[type] !== undefined, `7.1: element ${id} is a ${type}`),
    ...unless(
      (type !== 'Figure' && type !== 'Formula') ||
        [own['Alt'], own['ActualText']].some((words) => typeof words === 'string' && words.trim() !== ''),
      `7.3: picture ${id} has no words`,
    ),
  ]);
}

function ofHeadings(parts: readonly Part[]): string[] {
  const levels = parts.flatMap(({ type }) => /^H([1-6])$/.exec(type)?.[1] ?? []).map(Number);
  return [
    ...unless(levels[0] === 1, '7.4.2: the first heading is not of the first level'),
    ...unless(!parts.some(({ type }) => type === 'H'), '7.4.4: headings with and without levels'),
    ...levels.flatMap((level, index) =>
      unless(level <= (levels[index - 1] ?? 0) + 1, `7.4.2: a heading ${level} after ${levels[index - 1]}`),
    ),
  ];
}

function ofTable({ id, kids }: Part): string[] {
  const rows = kids.flatMap((kid) => (/^T(Head|Body|Foot)$/.test(kid.type) ? kid.kids : [kid]));
  const cells = rows.flatMap((row) => row.kids);
  return [
    ...unless(
      rows.every(({ type }) => type === 'TR'),
      `7.5: table ${id} has more than rows`,
    ),
    ...unless(
      cells.every(({ type }) => type === 'TH' || type === 'TD'),
      `7.5: a row of table ${id} has more than cells`,
    ),
    ...unless(new Set(rows.map((row) => row.kids.length)).size === 1, `7.5: rows of table ${id} differ`),
    ...unless(
      cells.some(({ type }) => type === 'TH'),
      `7.5: table ${id} has no heads`,
    ),
    ...cells
      .filter(({ type, own }) => type === 'TH' && !hasScope(own))
      .map((cell) => `7.5: head ${cell.id} of table ${id} does not say whether it is of a row or a column`),
  ];
}

function hasScope({ A: attributes }: Dict): boolean {
  const all = Array.isArray(attributes) ? attributes : [attributes];
  return all.some(
    (one) =>
      isDict(one) && named(one['O']) === 'Table' && ['Row', 'Column', 'Both'].includes(named(one['Scope'])),
  );
}

function ofFonts(pdf: Pdf): string[] {
  return [...pdf.objects].flatMap(([id, value]) => {
    const own = pdf.dict(value);
    const isFont = named(own['Type']) === 'Font' && own['DescendantFonts'] !== undefined;
    const isSimple = named(own['Type']) === 'Font' && /^(Type1|TrueType)$/.test(named(own['Subtype']));
    const isDescriptor = named(own['Type']) === 'FontDescriptor';
    const file = ['FontFile', 'FontFile2', 'FontFile3'].some((key) => own[key] !== undefined);
    return [
      ...unless(!isDescriptor || file, `7.21.4.1: font ${id} is not in the file`),
      ...unless(!isSimple || own['FontDescriptor'] !== undefined, `7.21.4.1: font ${id} is not in the file`),
      ...unless(!isFont || own['ToUnicode'] !== undefined, `7.21.7: letters of font ${id} are not known`),
    ];
  });
}

function treeOf(pdf: Pdf, root: Dict): Part[] {
  return kidsOf(pdf, root).flatMap((kid) => partOf(pdf, kid, ''));
}

function partOf(pdf: Pdf, value: Value, page: string): Part[] {
  const own = pdf.dict(value);
  if (own['S'] === undefined) return [];
  const here = refOf(own['Pg']) || page;
  const kids = kidsOf(pdf, own);
  const marks = kids.flatMap((kid) => {
    if (typeof kid === 'number') return [{ page: here, mcid: kid }];
    const mark = pdf.dict(kid);
    if (typeof mark['MCID'] !== 'number') return [];
    return [{ page: refOf(mark['Pg']) || here, mcid: mark['MCID'] }];
  });
  return [
    {
      id: refOf(value),
      type: named(own['S']),
      own,
      marks,
      kids: kids.flatMap((kid) => partOf(pdf, kid, here)),
    },
  ];
}

function kidsOf(pdf: Pdf, own: Dict): readonly Value[] {
  const kids = pdf.at(own['K']);
  if (Array.isArray(kids)) return kids;
  return own['K'] === undefined ? [] : [own['K']];
}

function within(part: Part): Part[] {
  return [part, ...part.kids.flatMap(within)];
}

function pagesOf(pdf: Pdf): [string, Dict][] {
  return [...pdf.objects]
    .map(([id, value]): [string, Dict] => [id, pdf.dict(value)])
    .filter(([, own]) => named(own['Type']) === 'Page');
}

function unless(isMet: boolean, fault: string): string[] {
  return isMet ? [] : [fault];
}

function named(value: Value): string {
  return isDict(value) && 'name' in value ? String(value['name']) : '';
}

function refOf(value: Value): string {
  return isDict(value) && 'ref' in value ? String(value['ref']) : '';
}

function isDict(value: Value): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(source: string): Pdf {
  const bodies = new Map(
    [...source.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map((found) => [found[1] ?? '', found[2] ?? '']),
  );
  const headOf = (body: string) => body.split('\nstream\n')[0] ?? '';
  const objects = new Map([...bodies].map(([id, body]) => [id, readValue(headOf(body))]));
  const at = (value: Value): Value => (refOf(value) === '' ? value : objects.get(refOf(value)));
  const dict = (value: Value): Dict => {
    const own = at(value);
    return isDict(own) ? own : {};
  };
  const stream = (value: Value) => {
    const body = bodies.get(refOf(value)) ?? '';
    const data = Buffer.from(
      body.slice(body.indexOf('stream\n') + 7, body.lastIndexOf('\nendstream')),
      'latin1',
    );
    return (named(dict(value)['Filter']) === 'FlateDecode' ? inflateSync(data) : data).toString('latin1');
  };
  return { objects, at, dict, stream };
}

/** Parses a PDF value; names become `{ name }`, references `{ ref }`. */
function readValue(text: string): Value {
  const tokens = [
    ...text.matchAll(
      /<<|>>|\[|\]|\/[^\s<>[\]()/%]*|\((?:\\[\s\S]|[^\\()])*\)|<[0-9a-f\s]*>|\d+ \d+ R\b|[-+.\d]+|true|false|null/gi,
    ),
  ].map(([token]) => token);
  const read = (): Value => {
    const token = tokens.shift() ?? 'null';
    if (token === '<<') {
      const own: Record<string, Value> = {};
      while (tokens.length > 0 && tokens[0] !== '>>') own[(tokens.shift() ?? '').slice(1)] = read();
      tokens.shift();
      return own;
    }
    if (token === '[') {
      const list: Value[] = [];
      while (tokens.length > 0 && tokens[0] !== ']') list.push(read());
      tokens.shift();
      return list;
    }
    if (token.startsWith('/')) return { name: token.slice(1) };
    if (token.startsWith('(') || token.startsWith('<')) return token.slice(1, -1);
    if (token.endsWith(' R')) return { ref: token.split(' ')[0] ?? '' };
    if (token === 'true' || token === 'false') return token === 'true';
    return token === 'null' ? null : Number(token);
  };
  return read();
}
