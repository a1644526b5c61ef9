// The texts of letters by language.

import type { Language } from '../../core/language.ts'
import { LETTER_EN, type LetterTexts } from './letter-en.ts'
import { LETTER_ES } from './letter-es.ts'
import { LETTER_FR } from './letter-fr.ts'

export const LETTER_TEXTS: Readonly<Record<Language, LetterTexts>> = {
  en: LETTER_EN,
  es: LETTER_ES,
  fr: LETTER_FR,
}
