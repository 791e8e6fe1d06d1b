import MailComposer from 'nodemailer/lib/mail-composer';
import { emailDate, type Instant } from '#shared/calendar-date.ts';
import type { Deps } from '../deps.ts';
import { type Html, html } from '../http/html.ts';

/** The content of an email, already translated. None of it is markup. */
export type EmailContent = Readonly<{
  to: { name: string; address: string };
  /** The language as an HTML lang attribute: 'es'. */
  language: string;
  subject: string;
  paragraphs: readonly EmailParagraph[];
  /** The call to action and its link. */
  button?: { label: string; url: string } | undefined;
  /** Small print at the end. */
  footnotes: readonly EmailParagraph[];
  /** The unsubscribe link, shown in small print and as the mail client's own button. */
  stop?: { label: string; url: string } | undefined;
}>;

/** A paragraph: text in the email's language, or text with its own language, which is blank if unknown. */
export type EmailParagraph = string | Readonly<{ words: string; language: string }>;

/** A built email: the same bytes on every attempt and for every transport. */
export type Envelope = Readonly<{ from: string; to: string; messageId: string; raw: Buffer }>;

/** The address of a page with one query parameter. Built from the settings only, never from a request header. */
export function linkTo(
  deps: Pick<Deps, 'config'>,
  name: 'token' | 'verify' | 'invite' | 'signin-link' | 'desk' | 'log',
  value: string,
): string {
  return `${homePage(deps)}/?${name}=${encodeURIComponent(value)}`;
}

/** The product's address, without a trailing slash. */
export function homePage({ config }: Pick<Deps, 'config'>): string {
  return config.publicUrl ?? `http://localhost:${config.port}`;
}

/** Builds the MIME message, with a plain-text and an HTML body. */
export async function buildMimeMessage(
  deps: Pick<Deps, 'config'>,
  letter: EmailContent,
  sent: { messageId: string; at: Instant },
): Promise<Envelope> {
  const { mailFrom } = deps.config;
  const logo = logoOf(deps);
  const composer = new MailComposer({
    from: mailFrom,
    to: letter.to,
    subject: letter.subject,
    text: renderText(letter),
    html: renderHtml(letter, logo),
    messageId: `<${sent.messageId}>`,
    date: emailDate(sent.at),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(letter.stop === undefined
        ? {}
        : {
            'List-Unsubscribe': { prepared: true, value: `<${letter.stop.url}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
    textEncoding: 'quoted-printable',
    newline: 'windows',
    // Otherwise every attempt would generate new part boundaries.
    baseBoundary: sent.messageId.replace(/[^A-Za-z0-9]/g, '').slice(0, 32),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const raw = await composer.compile().build();
  return { from: mailFrom.address, to: letter.to.address, messageId: sent.messageId, raw };
}

type Logo = Readonly<{ url: string; name: string; width: number; height: number }>;

// Linked, because embedding the logo would send it, and store it in the outbox, with every email. Without a public URL no mail
// client could load it.
function logoOf({ config }: Pick<Deps, 'config'>): Logo | undefined {
  const { publicUrl, districtLogo, districtName } = config;
  if (publicUrl === undefined || districtLogo === undefined) return undefined;
  const { url, width, height } = districtLogo;
  const scale = Math.min(1, LOGO_BOX.width / width, LOGO_BOX.height / height);
  return {
    url: `${publicUrl}${url}`,
    name: districtName,
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

function renderText({ paragraphs, button, footnotes, stop }: EmailContent): string {
  const [link = [], end = []] = [button, stop].map((one) =>
    one === undefined ? [] : [`${one.label}:\n${one.url}`],
  );
  const blocks = [...paragraphs, ...link, '-- ', ...footnotes, ...end];
  return `${blocks.map(paragraphText).join('\n\n')}\n`;
}

// The colors of the light theme: emails have no style sheet.
const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const PAGE = `margin:0;padding:24px 16px;background:#f6f7f5;color:#18211d;${FONT}`;
const CARD =
  'max-width:32rem;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dfe4e0;border-radius:16px';
const PARAGRAPH = 'margin:0 0 16px;font-size:16px;line-height:1.5';
const BUTTON =
  'display:inline-block;padding:12px 20px;background:#0f6b4f;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none;border-radius:8px';
const LOGO_BOX = { width: 240, height: 48 };
// Styles the alt text (the district's name), which is visible while images are blocked.
const LOGO = 'display:block;margin:0 0 20px;color:#18211d;font-size:16px;font-weight:600';
const SMALL = 'margin:12px 0 0;font-size:14px;line-height:1.5;color:#55605a;overflow-wrap:anywhere';

function renderHtml(letter: EmailContent, logo: Logo | undefined): string {
  const { button, stop } = letter;
  const lines = [
    html`<!doctype html><html lang="${letter.language}"><head><meta charset="utf-8">`,
    html`<meta name="viewport" content="width=device-width, initial-scale=1">`,
    html`<title>${letter.subject}</title></head>`,
    html`<body style="${PAGE}"><div style="${CARD}">`,
    logo &&
      html`<img src="${logo.url}" alt="${logo.name}" width="${logo.width}" height="${logo.height}" style="${LOGO}">`,
    ...letter.paragraphs.map((words) => paragraph(words, PARAGRAPH)),
    button && html`<p style="${PARAGRAPH}"><a href="${button.url}" style="${BUTTON}">${button.label}</a></p>`,
    button && html`<p style="${SMALL}">${button.url}</p>`,
    ...letter.footnotes.map((words) => paragraph(words, SMALL)),
    stop && html`<p style="${SMALL}"><a href="${stop.url}">${stop.label}</a></p>`,
    html`</div></body></html>\n`,
  ];
  return lines.flatMap((line) => line?.markup ?? []).join('\n');
}

function paragraph(words: EmailParagraph, style: string): Html {
  return typeof words === 'string'
    ? html`<p style="${style}">${words}</p>`
    : html`<p lang="${words.language}" style="${style}">${words.words}</p>`;
}

function paragraphText(words: EmailParagraph): string {
  return typeof words === 'string' ? words : words.words;
}
