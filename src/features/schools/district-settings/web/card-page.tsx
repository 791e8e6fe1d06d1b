import { MailCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { restoreLink, storeSignInProgress } from '#web/api/sign-in-progress.ts';
import { leavePage } from '#web/forms/unsaved-changes.ts';
import { OWN_NAMES, switchLanguage } from '#web/i18n/language.ts';
import { PAGE_LANGUAGE, useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { focusHeading } from '#web/ui/focus-target.ts';
import { DistrictLogo } from '#web/ui/logo.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonLine } from '#web/ui/skeleton.tsx';
import { messages } from '../contract.ts';
import { useDistrict } from './api.ts';
import { SupportLink } from './support-link.tsx';

type CardPageProps = {
  children: ReactNode;
  /** Links below the content. */
  links?: ReactNode;
  /** Hides the language switch, because the reload would lose the state of a signed-in page or a sign-in step. */
  isFixed?: boolean;
};

/** A page with a single card: logo, product name, district, and the support address at the bottom. */
export function CardPage({ children, links, isFixed = false }: CardPageProps) {
  const { say } = useTranslation();
  const district = useDistrict();
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 py-6 sm:justify-center sm:py-10">
      <div className="flex w-full max-w-110 flex-col gap-6 rounded-3xl border border-line bg-card px-5 py-7 sm:px-9 sm:py-9">
        <header className="flex flex-col items-center gap-4 text-center">
          <DistrictLogo size="card" district={district.data} />
          <div>
            <h1 className="text-2xl font-semibold tracking-tight">{say(messages.title)}</h1>
            <p className="min-h-6 text-soft">
              {district.data === undefined
                ? !district.isError && <SkeletonLine />
                : district.data.districtName}
            </p>
          </div>
        </header>
        {district.isError && district.data === undefined && (
          <QueryError text={messages.failedToLoad} query={district} />
        )}
        {children}
        <footer className="flex flex-col items-center gap-2 border-t border-line pt-4 text-center">
          {links}
          {district.data !== undefined && <SupportLink email={district.data.supportEmail} />}
        </footer>
      </div>
      {links !== undefined && !isFixed && (
        <div className="mt-3">
          <LanguageSwitch />
        </div>
      )}
    </main>
  );
}

/** The title of the card and the page. When the card changes, it gets the focus so that screen readers announce it. */
export function CardTitle({ children, isArrival = false }: { children: string; isArrival?: boolean }) {
  usePageTitle(children);
  return (
    <h2
      // A new title is a new element, which gets the focus even if React keeps the rest of the card.
      key={children}
      ref={isArrival ? null : focusHeading}
      tabIndex={-1}
      className="text-xl font-semibold outline-none"
    >
      {children}
    </h2>
  );
}

type CardSectionProps = { title: string; help?: string; isArrival?: boolean; children: ReactNode };

/** The content of a card: its title, an introduction, and what follows. */
export function CardSection({ title, help, isArrival = false, children }: CardSectionProps) {
  return (
    <section className="flex flex-col gap-4">
      <div>
        <CardTitle isArrival={isArrival}>{title}</CardTitle>
        {help !== undefined && <p className="mt-1 wrap-anywhere text-soft">{help}</p>}
      </div>
      {children}
    </section>
  );
}

type CardStateProps = { icon: ReactNode; isBad?: boolean; title: string; children: ReactNode };

/** The outcome shown on a card: an icon, a heading, and a sentence or two. */
export function CardOutcome({ icon, isBad = false, title, children }: CardStateProps) {
  usePageTitle(title);
  return (
    <section className="flex min-h-40 flex-col items-center justify-center gap-3 text-center text-balance">
      <span
        aria-hidden="true"
        className={`flex size-16 items-center justify-center rounded-full ${isBad ? 'bg-danger-wash text-danger' : 'bg-wash text-brand'}`}
      >
        {icon}
      </span>
      {/* The focused element is gone, so the heading takes the focus and is read out. */}
      <h2 ref={focusHeading} tabIndex={-1} className="text-xl font-semibold outline-none">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Shown after an email was sent, with the server's message and a Back button. */
export function EmailSentCard({ text, onBack }: { text: string; onBack: () => void }) {
  const { t } = useTranslation();
  return (
    <CardPage>
      <CardOutcome icon={<MailCheck className="size-8" />} title={t('users:forgotDoneTitle')}>
        <p role="status" className="wrap-anywhere">
          {text}
        </p>
      </CardOutcome>
      <Button kind="primary" isWide onPress={onBack}>
        {t('users:backToSignIn')}
      </Button>
    </CardPage>
  );
}

/** Links to the district's other languages, for visitors who have not signed in. */
function LanguageSwitch() {
  const { data } = useDistrict();
  return data?.languages
    .filter((language) => language !== PAGE_LANGUAGE)
    .map((language) => (
      <LinkButton
        key={language}
        lang={language}
        onPress={() =>
          leavePage(() => {
            storeSignInProgress();
            restoreLink();
            switchLanguage(language);
          })
        }
      >
        {OWN_NAMES[language]}
      </LinkButton>
    ));
}
