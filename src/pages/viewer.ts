// The reader of a page: the language that its texts are in, and the locale of amounts and dates.
//
// The language is the one that the reader chose at the foot of a page, else the first of the
// browser's that we have, else the account's.

import assert from 'node:assert/strict'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import {
  DEFAULT_LANGUAGE,
  LANGUAGES,
  type Language,
  LOCALES,
  languageOf,
} from '../core/language.ts'
import type { LetterTexts } from '../messages/texts/letter-en.ts'
import { LETTER_TEXTS } from '../messages/texts/letter-texts.ts'
import { isReading } from '../web/html.ts'
import type { Payee } from './payee.ts'
import type { Texts } from './texts/en.ts'
import { TEXTS } from './texts/texts.ts'

export interface Viewer {
  readonly language: Language
  readonly texts: Texts
  /** The texts that pages share with letters. */
  readonly letterTexts: LetterTexts
  /** The locale of amounts and dates. */
  readonly locale: string
  /** The account's time zone: the reader's own is not known. */
  readonly timezone: string
  /** The language that the address names, which the next pages keep. */
  readonly chosen: Language | undefined
  /** The queries of this page in each language. Undefined where a form's answer has no address. */
  readonly choices: readonly (readonly [Language, string])[] | undefined
}

export const PageViewer = createContext<Viewer | undefined>(undefined)

export function usePageViewer(): Viewer {
  const viewer = useContext(PageViewer)
  assert(viewer !== undefined, 'answerPage says who sees the page')
  return viewer
}

type Asked = Pick<FastifyRequest, 'headers' | 'query' | 'method'>

export function viewerOf(request: Asked, payee?: Payee): Viewer {
  const tags = tagsOf(request.headers['accept-language'])
  const chosen = chosenLanguage(request)
  const language = chosen ?? firstLanguage(tags) ?? payee?.look.language ?? DEFAULT_LANGUAGE
  return {
    language,
    texts: TEXTS[language],
    letterTexts: LETTER_TEXTS[language],
    locale: localeIn(language, tags, chosen),
    timezone: payee?.timezone ?? 'UTC',
    chosen,
    choices: isReading(request.method) ? choicesOf(request) : undefined,
  }
}

/** The same page in other languages is another answer, so every answer says what it depends on. */
export function inLanguage(reply: FastifyReply, { language }: Viewer): FastifyReply {
  const others = reply.getHeader('vary')
  const vary = others === undefined ? 'Accept-Language' : `${others}, Accept-Language`
  return reply.headers({ vary, 'content-language': language })
}

/** A path of ours on which the chosen language stays chosen. */
export function pathFor({ chosen }: Viewer, path: string): string {
  return chosen === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}lang=${chosen}`
}

/** `?lang=fr`, or `?lang=fr-CA`. A language that we do not have is as none. */
function chosenLanguage({ query }: Asked): Language | undefined {
  const { lang } = query as Readonly<Record<string, unknown>>
  return typeof lang === 'string' ? languageOf(lang) : undefined
}

/** The other query parameters of a page that are kept. */
const KEPT = { amount: /^[\d.,]{1,16}$/, receipt: /^(sent|refused)$/ } as const

function choicesOf({ query }: Asked): readonly (readonly [Language, string])[] {
  const known = query as Readonly<Record<string, unknown>>
  const kept = Object.entries(KEPT).flatMap(([name, form]) => {
    const value = known[name]
    return typeof value === 'string' && form.test(value) ? [[name, value]] : []
  })
  return LANGUAGES.map((lang) => [lang, `?${new URLSearchParams([...kept, ['lang', lang]])}`])
}

/** `de-CH`, `pt`, `zh-Hant-TW`. Other subtags make no difference to numbers and dates. */
const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i

/** As HTTP has it: from 0, which is *not this one*, to 1. */
const WEIGHT = /^\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i

/** Bounds the work for one header. */
const MOST_TAGS = 8

/** The tags of an Accept-Language header that Intl knows, the most wanted first. */
function tagsOf(acceptLanguage: string | undefined): readonly string[] {
  const tags = (acceptLanguage ?? '').split(',', MOST_TAGS).map((part) => {
    const [tag = '', ...weights] = part.split(';')
    return { tag: tag.trim(), weight: weightOf(weights) }
  })
  return tags
    .filter(({ tag, weight }) => weight > 0 && TAG.test(tag) && isKnown(tag))
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

/** Zero if it is malformed. */
function weightOf([text, ...others]: readonly string[]): number {
  if (text === undefined) return 1
  return others.length > 0 ? 0 : Number(WEIGHT.exec(text)?.[1] ?? 0)
}

function isKnown(tag: string): boolean {
  return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
}

function firstLanguage(tags: readonly string[]): Language | undefined {
  return tags.map(languageOf).find((language) => language !== undefined)
}

/**
 * The reader's region in the page's language; without one the usual locale of the language. A
 * reader who gets English because we lack the first language still gets amounts and dates as they
 * are written there.
 */
function localeIn(
  language: Language,
  tags: readonly string[],
  chosen: Language | undefined,
): string {
  const [first] = tags
  const isFallback = chosen === undefined && language === DEFAULT_LANGUAGE
  const isOfReader = isFallback && first !== undefined && languageOf(first) === undefined
  const own = tags.find((tag) => languageOf(tag) === language)
  return intlName(isOfReader ? first : (own ?? LOCALES[language]), language)
}

/** As Intl names the locale, so that only a bounded number of names occur. */
function intlName(tag: string, language: Language): string {
  // `en` without a region is American English here.
  const regional = tag.toLowerCase() === language ? LOCALES[language] : tag
  return new Intl.NumberFormat(regional).resolvedOptions().locale
}
