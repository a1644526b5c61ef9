// The languages of payers' pages and of letters.

export const LANGUAGES = ['en', 'es', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

export const DEFAULT_LANGUAGE: Language = 'en'

/**
 * The locale of amounts and dates where a reader's region is unknown. The merchants are in the
 * United States, so Spanish is written as it is there.
 */
export const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-US',
  es: 'es-US',
  fr: 'fr',
}

/** The language of a tag: `fr-CA` is French. Undefined if it is none of ours. */
export function languageOf(tag: string): Language | undefined {
  const [primary = ''] = tag.toLowerCase().split('-', 1)
  return LANGUAGES.find((language) => language === primary)
}
