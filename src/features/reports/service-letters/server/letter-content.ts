import { findDistrictLogo } from '#features/schools/server/logos.ts';
import { fillPlaceholders, type Placeholder } from '#features/schools/service-letter-template.ts';
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
import { type LetterHours, schoolIdsOf, sumByActivity } from './letter-status.ts';
import { findLetterSchools, findSchoolLogo, type LetterSchool, type LetterWithNames } from './store.ts';

/**
 * The properties that all letters of a file share: language, school with its signer, and the logo of the school or district.
 */
export type LetterFrame = Readonly<{
  language: LetterLanguage;
  school: LetterSchool | undefined;
  logo: PdfLetters['logo'];
  logoOf: 'school' | 'district';
}>;

/**
 * Returns the settings of a letter's school, with the district's logo if the school has none. A letter about several schools
 * has no signer.
 */
export async function readFrame(db: Db, letter: LetterWithNames): Promise<LetterFrame> {
  const ids = schoolIdsOf(letter) ?? [];
  const [only] = ids;
  const isOfOne = ids.length === 1 && only !== undefined;
  const [school] = isOfOne
    ? await withNameLanguage(letter.language, () => findLetterSchools(db, [only]))
    : [];
  const own = isOfOne ? await findSchoolLogo(db, only) : undefined;
  return {
    language: letter.language,
    school,
    logo: own ?? (await findDistrictLogo(db)),
    logoOf: own === undefined ? 'district' : 'school',
  };
}

/** Returns the PDF document of these letters, each on its own pages. */
export function renderLetters(deps: Deps, frame: LetterFrame, letters: readonly PdfLetter[]): PdfLetters {
  const texts = LETTER_MESSAGES[frame.language];
  const [first] = letters;
  const about = letters.length === 1 && first !== undefined ? `${texts.title}: ${first.name}` : texts.files;
  return {
    title: `${about}, ${deps.config.districtName}`,
    language: texts.locale,
    page: texts.page,
    logo: frame.logo,
    letters,
  };
}

/** Returns the content of one letter, with the school's text or the default one. */
export function renderLetter(
  deps: Deps,
  { language, school, logoOf: logoOwner }: LetterFrame,
  letter: LetterWithNames,
  letterHours: LetterHours,
): PdfLetter {
  const texts = LETTER_MESSAGES[language];
  const district = deps.config.districtName;
  const values = placeholderValues(texts, district, letter, letterHours);
  const defaultWording = letter.school === null ? texts.wordingEverywhere : texts.wording;
  const code = spellCode(letter.code);
  const logoSchool = logoOwner === 'district' ? district : (school?.name ?? district);
  const everySchool = withValues(texts.everySchool, { district });
  const record = withValues(texts.record, { district, date: values.date });
  const hoursLabel = letterHours.isVerifiedOnly ? texts.verifiedHours : texts.hours;
  return {
    name: values.name,
    logoAlt: withValues(texts.logo, { school: logoSchool }),
    head: [letter.school ?? everySchool, ...(letter.school === null ? [] : [district])],
    issued: withValues(texts.issued, values),
    title: texts.title,
    greeting: texts.greeting,
    facts: [
      [texts.person, values.name],
      [texts.school, letter.school ?? everySchool],
      [texts.period, withValues(texts.fromTo, values)],
      [hoursLabel, formatLetterHours(texts, letterHours.hundredths)],
    ],
    paragraphs: [
      school?.wording === null || school === undefined
        ? withValues(defaultWording, values)
        : fillPlaceholders(school.wording, values),
    ],
    table: toTable(texts, letter, letterHours),
    closing: [record, ...verifiedNotice(texts, letterHours)],
    ...toSignature(deps, texts, school, code),
    foot: withValues(texts.foot, { district, code, date: values.date }),
  };
}

function toSignature(
  deps: Deps,
  texts: LetterMessages,
  school: LetterSchool | undefined,
  code: string,
): Pick<PdfLetter, 'signature' | 'signer' | 'check'> {
  const home = homePage(deps);
  const address = `${home}/?letter=${code}`;
  return {
    signature: texts.signature,
    signer:
      school?.signer === null || school?.signer === undefined
        ? [texts.signer]
        : [school.signer, school.title ?? ''],
    check: {
      address,
      alt: withValues(texts.qr, { address }),
      lines: [withValues(texts.check, { address: home }), withValues(texts.code, { code })],
    },
  };
}

// Names the schools that count only verified hours, when others count all.
function verifiedNotice(texts: LetterMessages, { isVerifiedOnly, lines }: LetterHours): string[] {
  if (isVerifiedOnly) return [texts.verified];
  const names = lines.flatMap(({ verification, school }) => (verification === 'on' ? [school] : []));
  return names.length === 0
    ? []
    : [withValues(texts.verifiedAt, { schools: [...new Set(names)].join(', ') })];
}

function placeholderValues(
  texts: LetterMessages,
  district: string,
  letter: LetterWithNames,
  letterHours: LetterHours,
): Readonly<Record<Placeholder, string>> {
  const day = (date: CalendarDate) => formatDayInFull(date, texts.locale);
  const hours = letterHours.hundredths === 100 ? texts.one : texts.many;
  return {
    name: fullName({ firstName: letter.first_name ?? '', lastName: letter.last_name ?? '' }),
    school: letter.school ?? withValues(texts.everySchool, { district }),
    district,
    hours: withValues(hours, { hours: formatLetterHours(texts, letterHours.hundredths) }),
    from: day(letter.start_date),
    to: day(letter.end_date),
    date: day(letter.issue_date),
  };
}

function toTable(
  texts: LetterMessages,
  letter: LetterWithNames,
  { lines, hundredths }: LetterHours,
): PdfLetter['table'] {
  const isDated = letter.with_dates === 1;
  const isOfMany = new Set(lines.map((line) => line.school_id)).size > 1;
  const cells = isDated ? lines : sumByActivity(lines);
  const widths = { date: isDated ? 0.2 : 0, school: isOfMany ? 0.3 : 0, hours: 0.12 };
  return {
    columns: [
      ...(isDated ? [{ title: texts.date, width: widths.date }] : []),
      { title: texts.activity, width: 1 - widths.date - widths.school - widths.hours },
      ...(isOfMany ? [{ title: texts.school, width: widths.school }] : []),
      { title: texts.hours, width: widths.hours, isNumber: true },
    ],
    rows: cells.map((line) => [
      ...(isDated ? [formatDay(line.date, texts.locale)] : []),
      line.activity,
      ...(isOfMany ? [line.school] : []),
      formatLetterHours(texts, line.hundredths),
    ]),
    total: [
      texts.total,
      ...(isDated ? [''] : []),
      ...(isOfMany ? [''] : []),
      formatLetterHours(texts, hundredths),
    ],
  };
}

function formatLetterHours(texts: LetterMessages, hundredths: number): string {
  return formatHours(fromHundredths(hundredths), texts.locale);
}
