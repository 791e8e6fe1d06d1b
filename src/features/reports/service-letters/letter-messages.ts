import type { LetterLanguage } from './contract.ts';

/** The texts of a letter. `locale` formats its days and numbers. */
export const LETTER_MESSAGES = {
  en: {
    locale: 'en-US',
    title: 'Letter of volunteer service',
    files: 'Letters of volunteer service',
    greeting: 'To whom it may concern:',
    wording: '{name} volunteered {hours} at {school}, {district}, from {from} to {to}.',
    wordingEverywhere: '{name} volunteered {hours} at the schools of {district}, from {from} to {to}.',
    person: 'Volunteer',
    school: 'School',
    everySchool: 'All schools of {district}',
    period: 'Period',
    fromTo: '{from} to {to}',
    hours: 'Hours',
    verifiedHours: 'Verified hours',
    one: '{hours} hour',
    many: '{hours} hours',
    issued: 'Issued on {date}',
    record: 'These hours are in the volunteer records of {district} as of {date}.',
    verified: 'Only hours that the school has verified are counted.',
    verifiedAt: 'Of the hours at {schools}, only verified ones are counted.',
    date: 'Date',
    activity: 'Activity',
    total: 'Total',
    signature: 'Signature',
    signer: 'Name and title',
    check: 'Anyone can check this letter at {address} with its code and the volunteer’s last name.',
    code: 'Code: {code}',
    qr: 'QR code that opens {address}',
    logo: 'Logo of {school}',
    foot: '{code} · issued on {date} · {district}',
    page: 'Page {page} of {pages}',
  },
  es: {
    locale: 'es-US',
    title: 'Carta de servicio voluntario',
    files: 'Cartas de servicio voluntario',
    greeting: 'A quien corresponda:',
    wording:
      'Por medio de la presente hacemos constar que {name} prestó {hours} de servicio voluntario en {school}, {district}, del {from} al {to}.',
    wordingEverywhere:
      'Por medio de la presente hacemos constar que {name} prestó {hours} de servicio voluntario en las escuelas de {district}, del {from} al {to}.',
    person: 'Persona voluntaria',
    school: 'Escuela',
    everySchool: 'Todas las escuelas de {district}',
    period: 'Período',
    fromTo: 'Del {from} al {to}',
    hours: 'Horas',
    verifiedHours: 'Horas verificadas',
    one: '{hours} hora',
    many: '{hours} horas',
    issued: 'Fecha de expedición: {date}',
    record: 'Estas horas constan en el historial de voluntariado de {district} con fecha {date}.',
    verified: 'Solo se cuentan las horas que la escuela ha verificado.',
    verifiedAt: 'De las horas en {schools}, solo se cuentan las verificadas.',
    date: 'Fecha',
    activity: 'Actividad',
    total: 'Total',
    signature: 'Firma',
    signer: 'Nombre y cargo',
    check:
      'Cualquier persona puede comprobar esta carta en {address} con su código y el apellido de la persona voluntaria.',
    code: 'Código: {code}',
    qr: 'Código QR que abre {address}',
    logo: 'Logo de {school}',
    foot: '{code} · expedida el {date} · {district}',
    page: 'Página {page} de {pages}',
  },
} as const satisfies Readonly<Record<LetterLanguage, Readonly<Record<string, string>>>>;

export type LetterMessages = (typeof LETTER_MESSAGES)[LetterLanguage];

/** Replaces the placeholders in braces. Unknown ones stay unchanged. */
export function withValues(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (found, name: string) => values[name] ?? found);
}
