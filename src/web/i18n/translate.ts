import { useSyncExternalStore } from 'react';
import type { en } from '#shared/i18n/english-messages.ts';
import type { Message, MessageValues } from '#shared/i18n/message.ts';
import {
  addMessages,
  createMessageCatalog,
  render,
  type MessageCatalogs as SomeTexts,
} from '#shared/i18n/message-catalog.ts';
import { PAGE_LANGUAGE } from '#shared/i18n/page-language.ts';
import { signIn } from '#shared/i18n/sign-in-messages.ts';

type Texts = typeof en;

// 'rows_one' and 'rows_other' are looked up as 'rows' with a `count`.
type WithoutPlural<Key> = Key extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}`
  ? Base
  : Key;

/** The key of a message: 'feature:key'. An unknown key does not compile. */
export type MessageKey = {
  [Room in Extract<keyof Texts, string>]: `${Room}:${WithoutPlural<Extract<keyof Texts[Room], string>>}`;
}[Extract<keyof Texts, string>];

/** The language of this page. Each language has its own page. */
export { PAGE_LANGUAGE };

const catalogue = createMessageCatalog(PAGE_LANGUAGE, signIn);

/** Adds the messages of lazily loaded code before it renders. */
export function addLazyMessages(messages: SomeTexts): void {
  addMessages(catalogue, PAGE_LANGUAGE, messages);
}

/** Translates a message by its key. */
export const t = (key: MessageKey, values: MessageValues = {}): string => catalogue.t(key, values);

/** Translates a contract's message. A string that is not a message (such as a library's error) becomes `otherwise`. */
export function say(message: Message | string, otherwise: string = t('shared:requestFailed')): string {
  return render(catalogue, message, otherwise);
}

export type Text = Readonly<{ t: typeof t; say: typeof say; language: string }>;

let current: Text = { t, say, language: catalogue.language };

/** Returns the translation functions in the current language. The component re-renders when the language changes. */
export function useTranslation(): Text {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(listener: () => void): () => void {
  catalogue.on('languageChanged', listener);
  return () => catalogue.off('languageChanged', listener);
}

catalogue.on('languageChanged', (language: string) => {
  current = { t, say, language };
});
