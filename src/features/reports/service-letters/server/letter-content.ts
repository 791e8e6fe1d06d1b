import { findDistrictLogo } from '#features/schools/server/logos.ts';
import { fillIn, type Placeholder } from '#features/schools/service-letter-template.ts';
import type { Db } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { homePage } from '#server/email/email.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import type { PdfLetter, PdfLetters } from '#server/pdf/certificate.ts';
import { type CalendarDate, formatDay, formatDayInFull } from '#shared/calendar-date.ts';
import { formatHours, fromHundredths } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { spellCode } from '#shared/short-code.ts';
import type { LetterLanguage } from '../contract.ts';
import { LETTER_MESSAGES, type LetterMessages, withValues } from '../letter-messages.ts';
import { byActivity, type Standing, schoolIdsOf } from './letter-status.ts';
import { type LetterWithNames, logoOf, type SchoolOfLetter, schoolsOfLetter } from './store.ts';

/** What all letters of a file share: language, school with its signer, and the logo of the school or district. */
export type Frame = Readonly<{
  language: LetterLanguage;
  school: SchoolOfLetter | undefined;
  logo: PdfLetters['logo'];
  logoOf: 'school' | 'district';
}>;

/**
 * Reads a letter's school settings; without a school logo it uses the district's. Nobody can sign a letter about
 * several schools.
 */
export async function frameOf(db: Db, letter: LetterWithNames): Promise<Frame> {
  const ids = schoolIdsOf(letter) ?? [];
  const [only] = ids;
  const isOfOne = ids.length === 1 && only !== undefined;
  const [school] = isOfOne ? await withNameLanguage(letter.language, () => schoolsOfLetter(db, [only])) : [];
  const own = isOfOne ? await logoOf(db, only) : undefined;
  return {
    language: letter.language,
    school,
    logo: own ?? (await findDistrictLogo(db)),
    logoOf: own === undefined ? 'district' : 'school',
  };
}

/** The PDF document of some letters, each on its own pages. */
export function renderLetters(deps: Deps, frame: Frame, letters: readonly PdfLetter[]): PdfLetters {
  const words = LETTER_MESSAGES[frame.language];
  const [first] = letters;
  const about = letters.length === 1 && first !== undefined ? `${words.title}: ${first.name}` : words.files;
  return {
    title: `${about}, ${deps.config.districtName}`,
    language: words.locale,
    page: words.page,
    logo: frame.logo,
    letters,
  };
}

/** The content of one letter, in the school's wording or the default one. */
export function renderLetter(
  deps: Deps,
  { language, school, logoOf: whose }: Frame,
  letter: LetterWithNames,
  standing: Standing,
): PdfLetter {
  const words = LETTER_MESSAGES[language];
  const district = deps.config.districtName;
  const said = valuesOf(words, district, letter, standing);
  const usual = letter.school === null ? words.wordingEverywhere : words.wording;
  const code = spellCode(letter.code);
  const everySchool = withValues(words.everySchool, { district });
  return {
    name: said.name,
    logoAlt: withValues(words.logo, {
      school: whose === 'district' ? district : (school?.name ?? district),
    }),
    head: [letter.school ?? everySchool, ...(letter.school === null ? [] : [district])],
    issued: withValues(words.issued, said),
    title: words.title,
    greeting: words.greeting,
    facts: [
      [words.person, said.name],
      [words.school, letter.school ?? everySchool],
      [words.period, withValues(words.fromTo, said)],
      [standing.isVerifiedOnly ? words.verifiedHours : words.hours, formatted(words, standing.hundredths)],
    ],
    paragraphs: [
      school?.wording === null || school === undefined
        ? withValues(usual, said)
        : fillIn(school.wording, said),
    ],
    table: tableOf(words, letter, standing),
    closing: [withValues(words.record, { district, date: said.date }), ...verifiedIn(words, standing)],
    ...endOf(deps, words, school, code),
    foot: withValues(words.foot, { district, code, date: said.date }),
  };
}

function endOf(
  deps: Deps,
  words: LetterMessages,
  school: SchoolOfLetter | undefined,
  code: string,
): Pick<PdfLetter, 'signature' | 'signer' | 'check'> {
  const home = homePage(deps);
  const address = `${home}/?letter=${code}`;
  return {
    signature: words.signature,
    signer:
      school?.signer === null || school?.signer === undefined
        ? [words.signer]
        : [school.signer, school.title ?? ''],
    check: {
      address,
      alt: withValues(words.qr, { address }),
      lines: [withValues(words.check, { address: home }), withValues(words.code, { code })],
    },
  };
}

// Names the schools that count only verified hours, when others count all.
function verifiedIn(words: LetterMessages, { isVerifiedOnly, lines }: Standing): string[] {
  if (isVerifiedOnly) return [words.verified];
  const names = lines.flatMap(({ verification, school }) => (verification === 'on' ? [school] : []));
  return names.length === 0
    ? []
    : [withValues(words.verifiedAt, { schools: [...new Set(names)].join(', ') })];
}

function valuesOf(
  words: LetterMessages,
  district: string,
  letter: LetterWithNames,
  standing: Standing,
): Readonly<Record<Placeholder, string>> {
  const day = (date: CalendarDate) => formatDayInFull(date, words.locale);
  const hours = standing.hundredths === 100 ? words.one : words.many;
  return {
    name: fullName({ firstName: letter.first_name ?? '', lastName: letter.last_name ?? '' }),
    school: letter.school ?? withValues(words.everySchool, { district }),
    district,
    hours: withValues(hours, { hours: formatted(words, standing.hundredths) }),
    from: day(letter.start_date),
    to: day(letter.end_date),
    date: day(letter.issue_date),
  };
}

function tableOf(
  words: LetterMessages,
  letter: LetterWithNames,
  { lines, hundredths }: Standing,
): PdfLetter['table'] {
  const isDated = letter.with_dates === 1;
  const isOfMany = new Set(lines.map((line) => line.school_id)).size > 1;
  const cells = isDated ? lines : byActivity(lines);
  const widths = { date: isDated ? 0.2 : 0, school: isOfMany ? 0.3 : 0, hours: 0.12 };
  return {
    columns: [
      ...(isDated ? [{ title: words.date, width: widths.date }] : []),
      { title: words.activity, width: 1 - widths.date - widths.school - widths.hours },
      ...(isOfMany ? [{ title: words.school, width: widths.school }] : []),
      { title: words.hours, width: widths.hours, isNumber: true },
    ],
    rows: cells.map((line) => [
      ...(isDated ? [formatDay(line.date, words.locale)] : []),
      line.activity,
      ...(isOfMany ? [line.school] : []),
      formatted(words, line.hundredths),
    ]),
    total: [words.total, ...(isDated ? [''] : []), ...(isOfMany ? [''] : []), formatted(words, hundredths)],
  };
}

function formatted(words: LetterMessages, hundredths: number): string {
  return formatHours(fromHundredths(hundredths), words.locale);
}
