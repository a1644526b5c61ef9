// The texts of payers' pages by language. Pages get those of their language from the viewer.

import type { Language } from '../../core/language.ts'
import { EN, type Texts } from './en.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'

export const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, es: ES, fr: FR }

/** The languages, each named in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
}
