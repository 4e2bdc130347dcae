import i18next, { type TFunction } from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { useMemo } from "react";
import { sayIn } from "../../ui/own-words.ts";
import { forAccount, type AnyTexts } from "./account-words.ts";
import type english from "./en.json";
import { isLanguage, languageOf, localeOf, type Language } from "./language.ts";

export type Texts = typeof english;

declare module "i18next" {
  interface CustomTypeOptions {
    readonly resources: { readonly translation: Texts };
    readonly enableSelector: false;
  }
}

const FILES: Readonly<Record<Language, () => Promise<{ readonly default: Texts }>>> = {
  en: () => import("./en.json"),
  de: () => import("./de.json"),
  fr: () => import("./fr.json"),
  es: () => import("./es.json"),
};

const KEPT = "language";

/** Fetches a language's texts and shows the page in it, from then on in this tab. */
export async function speak(language: Language): Promise<void> {
  const { default: texts } = await FILES[language]();
  await show(language, texts);
  document.documentElement.lang = language;
  sessionStorage.setItem(KEPT, language);
  const { loading, failed, retry, request } = texts.ui;
  sayIn({ loading, failed, retry, request });
}

async function show(name: Language, translation: AnyTexts): Promise<void> {
  if (i18next.isInitialized) {
    i18next.addResourceBundle(name, "translation", translation);
    await i18next.changeLanguage(name);
    return;
  }
  await i18next.use(initReactI18next).init({
    lng: name,
    fallbackLng: false,
    resources: { [name]: { translation } },
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
}

/** The language that the link, this tab or the browser asks for. */
function wishedLanguage(): Language {
  return languageOf({
    asked: new URLSearchParams(window.location.search).get("lang"),
    kept: sessionStorage.getItem(KEPT),
    browser: navigator.languages,
  });
}

let first: Promise<void> | null = null;

/** The first texts of the page; tried again by the next call where they could not be fetched. */
export function firstWords(): Promise<void> {
  first ??= speak(wishedLanguage()).catch((error: unknown) => {
    first = null;
    throw error;
  });
  return first;
}

let account: Promise<void> | null = null;

/** The texts of forms on the account's pages, in the place of the English ones, which the door may have fetched. */
export function accountWords(): Promise<void> {
  account ??= FILES.en()
    .then(({ default: texts }) => show("en", forAccount(texts)))
    .catch((error: unknown) => {
      account = null;
      throw error;
    });
  return account;
}

export interface Words {
  readonly t: TFunction;
  readonly language: Language;
  /** For dates, sizes and lists. */
  readonly locale: string;
}

export function useWords(): Words {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return useMemo(() => {
    const known = isLanguage(language) ? language : "en";
    return { t, language: known, locale: localeOf(known, navigator.languages) };
  }, [t, language]);
}

/** Whether the page's own files have a text. */
function has(key: string): boolean {
  return i18next.exists(key);
}

interface NamedField {
  readonly slug: string;
  readonly name: string;
  readonly description?: string | undefined;
}

/** What people who port their own number call a field; what the service calls it, where that is not known. */
export function fieldWords(t: TFunction, field: NamedField) {
  const { slug, name, description = "" } = field;
  if (!has(`field.${slug}.name`)) return { name, about: description };
  const known = slug as keyof Texts["field"];
  return { name: t(`field.${known}.name`), about: t(`field.${known}.about`) };
}

/** An option of a choice. */
export function choiceWords(t: TFunction, slug: string, option: string): string {
  const key = `choice.${slug}.${option}`;
  return has(key) ? t(key as "choice.port_type.full") : option;
}

export interface Fault {
  readonly code: string;
  /** The service's own sentence. */
  readonly detail: string;
}

/** What a text names: `{ example: "01P12345636Q" }`. */
type Facts = Readonly<Record<string, string>>;

/** Why something was refused, by its code; the service's own sentence where that is not known. */
export function faultWords(t: TFunction, { code, detail }: Fault, facts: Facts = {}): string {
  const key = `fault.${code}`;
  return has(key) ? t(key as "fault.check_failed", { detail, ...facts }) : detail;
}
