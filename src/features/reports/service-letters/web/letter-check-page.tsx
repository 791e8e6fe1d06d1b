import { BadgeCheck, Ban, CircleAlert } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import { SupportLink } from '#features/schools/district-settings/web/support-link.tsx';
import { type CalendarDate, formatDayInFull } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { readCode, spellCode } from '#shared/short-code.ts';
import { CallError, call } from '#web/api/call.ts';
import { storedLanguage } from '#web/i18n/language.ts';
import { PAGE_LANGUAGE } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { focusHeading } from '#web/ui/focus-target.ts';
import { DistrictLogo } from '#web/ui/logo.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import {
  type CheckedLetter,
  checkLetter,
  LETTER_LANGUAGES,
  LETTERS,
  type LetterLanguage,
} from '../contract.ts';
import { withValues } from '../letter-messages.ts';

/** The messages of the public check page, in the languages of letters. */
export const LETTER_CHECK_MESSAGES = {
  en: {
    locale: 'en-US',
    own: 'English',
    languages: 'Language',
    title: 'Check a service letter',
    help: 'Enter the code and the last name from the letter.',
    code: 'Code',
    codeHint: 'For example K7QM-4XRD-92',
    codeMissing: 'Enter the code from the letter',
    codeWrong: 'That is not a letter code. Check each letter and number.',
    lastName: 'Volunteer’s last name',
    lastNameMissing: 'Enter the last name from the letter',
    check: 'Check',
    checking: 'Checking...',
    wrong: 'No letter matches this code and last name. Check both and try again.',
    tooMany: 'Too many attempts. Please try again later.',
    failed: 'We couldn’t check the letter. Please try again.',
    valid: 'Valid',
    validHelp:
      'The letter matches the volunteer record. Compare the name, period and hours below with your letter.',
    changed: 'The record has changed since then: now {hours} hours',
    changedOne: 'The record has changed since then: now 1 hour',
    changedHelp: 'The letter was correct on the date of issue.',
    renamed: 'Issued under another name',
    renamedHelp:
      'The account that these hours belong to has a different name now. Compare the name below with the person who gave you the letter, and ask the school if in doubt.',
    withdrawn: 'Withdrawn',
    withdrawnHelp: 'This letter is no longer valid.',
    person: 'Volunteer',
    district: 'District',
    school: 'School',
    everySchool: 'All schools',
    period: 'Period',
    fromTo: '{from} to {to}',
    hours: 'Hours in the letter',
    verifiedHours: 'Verified hours in the letter',
    issued: 'Date of issue',
    again: 'Check another letter',
    home: 'Go to the start page',
  },
  es: {
    locale: 'es-US',
    own: 'Español',
    languages: 'Idioma',
    title: 'Comprobar una carta de servicio',
    help: 'Escriba el código y el apellido que figuran en la carta.',
    code: 'Código',
    codeHint: 'Por ejemplo, K7QM-4XRD-92',
    codeMissing: 'Escriba el código de la carta',
    codeWrong: 'Este no es el código de una carta. Revise cada letra y número.',
    lastName: 'Apellido de la persona voluntaria',
    lastNameMissing: 'Escriba el apellido que figura en la carta',
    check: 'Comprobar',
    checking: 'Comprobando...',
    wrong: 'Ninguna carta coincide con este código y apellido. Revise los dos e inténtelo de nuevo.',
    tooMany: 'Demasiados intentos. Inténtelo de nuevo más tarde.',
    failed: 'No se pudo comprobar la carta. Inténtelo de nuevo.',
    valid: 'Válida',
    validHelp:
      'La carta coincide con el historial. Compare el nombre, el período y las horas de abajo con la carta que tiene.',
    changed: 'El historial ha cambiado desde entonces: ahora {hours} horas',
    changedOne: 'El historial ha cambiado desde entonces: ahora 1 hora',
    changedHelp: 'La carta era correcta el día de su expedición.',
    renamed: 'Expedida con otro nombre',
    renamedHelp:
      'La cuenta a la que pertenecen estas horas tiene ahora otro nombre. Compare el nombre de abajo con la persona que le dio la carta y, si tiene dudas, pregunte a la escuela.',
    withdrawn: 'Anulada',
    withdrawnHelp: 'Esta carta ya no es válida.',
    person: 'Persona voluntaria',
    district: 'Distrito',
    school: 'Escuela',
    everySchool: 'Todas las escuelas',
    period: 'Período',
    fromTo: 'Del {from} al {to}',
    hours: 'Horas en la carta',
    verifiedHours: 'Horas verificadas en la carta',
    issued: 'Fecha de expedición',
    again: 'Comprobar otra carta',
    home: 'Ir a la página de inicio',
  },
} as const satisfies Readonly<Record<LetterLanguage, Readonly<Record<string, string>>>>;

export type LetterCheckMessages = (typeof LETTER_CHECK_MESSAGES)[LetterLanguage];

type CheckPageProps = { code: string; onHome: () => void };

/** The public page for checking a letter by its code and the last name in it, with its own language switch. */
export function CheckPage({ code, onHome }: CheckPageProps) {
  const [language, setLanguage] = useState<LetterLanguage>(preferred);
  const [found, setFound] = useState<CheckedLetter>();
  const [query, setQuery] = useState({ code: formatCode(code), lastName: '' });
  const texts = LETTER_CHECK_MESSAGES[language];
  const district = useDistrict();
  useEffect(() => {
    document.title = texts.title;
  }, [texts]);
  return (
    <main
      lang={language}
      className="flex min-h-dvh flex-col items-center px-4 py-6 sm:justify-center sm:py-10"
    >
      <div className="flex w-full max-w-110 flex-col gap-6 rounded-3xl border border-line bg-card px-5 py-7 sm:px-9 sm:py-9">
        <header className="flex flex-col items-center gap-4 text-center">
          <DistrictLogo size="card" district={district.data} />
          <h1 className="text-2xl font-semibold tracking-tight">{texts.title}</h1>
          <FilterPills
            label={texts.languages}
            choices={LETTER_LANGUAGES.map((value) => ({
              value,
              text: LETTER_CHECK_MESSAGES[value].own,
              lang: value,
            }))}
            value={language}
            onChange={setLanguage}
          />
        </header>
        {found === undefined ? (
          <CheckForm texts={texts} query={query} onQuery={setQuery} onFound={setFound} />
        ) : (
          <Result
            texts={texts}
            found={found}
            onAgain={() => {
              setQuery({ code: '', lastName: '' });
              setFound(undefined);
            }}
          />
        )}
        <footer className="flex flex-col items-center border-t border-line pt-4">
          <LinkButton onPress={onHome}>{texts.home}</LinkButton>
          {district.data !== undefined && (
            <div lang={PAGE_LANGUAGE}>
              <SupportLink email={district.data.supportEmail} />
            </div>
          )}
        </footer>
      </div>
    </main>
  );
}

type LetterQuery = { code: string; lastName: string };
type FormError = 'codeMissing' | 'codeWrong' | 'lastNameMissing' | 'wrong' | 'tooMany' | 'failed';

function CheckForm({
  texts,
  query,
  onQuery,
  onFound,
}: {
  texts: LetterCheckMessages;
  query: LetterQuery;
  onQuery: (query: LetterQuery) => void;
  onFound: (found: CheckedLetter) => void;
}) {
  // The message is stored by its key, so that it follows the language switch.
  const [formError, setFormError] = useState<FormError>();
  const [isSending, setIsSending] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const form = event.currentTarget;
    const missing = formErrorOf(query);
    setFormError(missing);
    if (missing !== undefined) {
      form.querySelector<HTMLElement>(`[name=${missing.startsWith('code') ? 'code' : 'lastName'}]`)?.focus();
      return;
    }
    setIsSending(true);
    try {
      onFound(await call(checkLetter, { body: query }));
    } catch (error) {
      setFormError(failureOf(error));
      setIsSending(false);
    }
  }

  const change = (part: Partial<LetterQuery>) => {
    setFormError(undefined);
    onQuery({ ...query, ...part });
  };
  const ofField = formError === 'codeMissing' || formError === 'codeWrong' || formError === 'lastNameMissing';
  return (
    <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-4">
      <p className="text-soft">{texts.help}</p>
      <TextField
        name="code"
        label={texts.code}
        hint={texts.codeHint}
        value={query.code}
        onChange={(code) => change({ code })}
        maxLength={LETTERS.code}
        autoComplete="off"
        isPlain
        isRequired
        {...(formError === 'codeMissing' || formError === 'codeWrong' ? { error: texts[formError] } : {})}
      />
      <TextField
        name="lastName"
        label={texts.lastName}
        value={query.lastName}
        onChange={(lastName) => change({ lastName })}
        maxLength={LETTERS.lastName}
        autoComplete="off"
        isRequired
        {...(formError === 'lastNameMissing' ? { error: texts[formError] } : {})}
      />
      <FormMessage message={formError === undefined || ofField ? undefined : texts[formError]} />
      <Button kind="primary" type="submit" isWide isBusy={isSending} busyText={texts.checking}>
        {texts.check}
      </Button>
    </form>
  );
}

const STATUS_STYLES = {
  valid: { icon: BadgeCheck, tone: 'bg-wash text-brand' },
  changed: { icon: CircleAlert, tone: 'bg-notice-wash text-notice' },
  renamed: { icon: CircleAlert, tone: 'bg-notice-wash text-notice' },
  withdrawn: { icon: Ban, tone: 'bg-danger-wash text-danger' },
} as const;

function Result({
  texts,
  found,
  onAgain,
}: {
  texts: LetterCheckMessages;
  found: CheckedLetter;
  onAgain: () => void;
}) {
  const { icon: Icon, tone } = STATUS_STYLES[found.status];
  const day = (date: CalendarDate) => formatDayInFull(date, texts.locale);
  const facts = [
    ...(found.person === null ? [] : [[texts.person, found.person]]),
    [texts.school, found.school ?? texts.everySchool],
    [texts.district, found.district],
    [texts.period, withValues(texts.fromTo, { from: day(found.startDate), to: day(found.endDate) })],
    [found.isVerifiedOnly ? texts.verifiedHours : texts.hours, formatHours(found.hours, texts.locale)],
    [texts.issued, day(found.issuedOn)],
  ];
  return (
    <section className="flex flex-col gap-5">
      <div className={`flex items-start gap-3 rounded-xl px-4 py-3 ${tone}`}>
        <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
        <div>
          <h2 ref={focusHeading} tabIndex={-1} className="text-lg font-semibold outline-none">
            {statusIn(found, texts)}
          </h2>
          <p>{texts[`${found.status}Help`]}</p>
        </div>
      </div>
      <dl className="flex flex-col divide-y divide-line">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 py-2">
            <dt className="text-soft">{name}</dt>
            <dd className="figures min-w-0 font-medium wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <Button isWide onPress={onAgain}>
        {texts.again}
      </Button>
    </section>
  );
}

function statusIn({ status, hoursNow }: CheckedLetter, texts: LetterCheckMessages): string {
  if (status !== 'changed') return texts[status];
  if (hoursNow === null) return texts.valid;
  if (hoursNow === 1) return texts.changedOne;
  return withValues(texts.changed, { hours: formatHours(hoursNow, texts.locale) });
}

function formErrorOf({ code, lastName }: LetterQuery): FormError | undefined {
  if (code.trim() === '') return 'codeMissing';
  if (readCode(code) === undefined) return 'codeWrong';
  return lastName.trim() === '' ? 'lastNameMissing' : undefined;
}

function failureOf(error: unknown): FormError {
  if (!(error instanceof CallError)) throw error;
  return error.status === 404 || error.status === 400 ? 'wrong' : error.status === 429 ? 'tooMany' : 'failed';
}

// Formats a valid code as in the letter, and returns any other input unchanged.
function formatCode(code: string): string {
  const known = readCode(code);
  return known === undefined ? code.slice(0, LETTERS.code) : spellCode(known);
}

function preferred(): LetterLanguage {
  const ofBrowser = navigator.language.startsWith('es') ? 'es' : 'en';
  return LETTER_LANGUAGES.find((language) => language === storedLanguage()) ?? ofBrowser;
}
