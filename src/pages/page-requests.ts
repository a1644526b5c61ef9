// Request handling that all page routes share.

import type { FastifyRequest } from 'fastify'
import { isFromElsewhere } from '../web/forms.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { Viewer } from './parts/shown.tsx'
import type { Payee } from './payee.ts'
import { unknownPage } from './payment-refusals.ts'

export const PAGE_ROUTE = { schema: { hide: true } }

/** The limit is far above what a page sends. */
export const FORM_ROUTE = { ...PAGE_ROUTE, bodyLimit: 16 * 1024 }

const NAME = /^[0-9a-f]{32}$/i

export function isPageName(text: string): boolean {
  return NAME.test(text)
}

/** Returns the name of a link or bill in lower case, as it is stored. */
export function nameOfPage(text: string): string {
  if (!isPageName(text)) throw unknownPage()
  return text.toLowerCase()
}

export function viewerOf({ headers }: FastifyRequest, { timezone }: Payee): Viewer {
  return { locale: localeOf(headers['accept-language']), timezone }
}

export function refuseFromElsewhere(request: FastifyRequest): void {
  if (!isFromElsewhere(request)) return
  const message = 'The request came from another site. You were not charged.'
  throw new PageRefusal(403, 'Request refused', message)
}

/** Used when the browser names no locale that Intl knows. */
const COMMON_LOCALE = 'en-US'

/** `de-CH`, `pt`, `zh-Hant-TW`. Other subtags make no difference to numbers and dates. */
const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i

/** Bounds the work for one header. */
const MOST_TAGS = 8

/** Returns the name that Intl gives the locale, so that only a bounded number of names occur. */
export function localeOf(acceptLanguage: string | undefined): string {
  const tags = (acceptLanguage ?? '').split(',', MOST_TAGS).map((part) => {
    const [tag = '', weight = ''] = part.split(';')
    return { tag: tag.trim(), weight: Number(/^\s*q=([\d.]+)\s*$/.exec(weight)?.[1] ?? 1) }
  })
  const known = tags
    .filter(({ tag, weight }) => TAG.test(tag) && weight > 0 && isKnown(tag))
    .sort((one, other) => other.weight - one.weight)
  const [first] = known
  // `en` without a region is American English here.
  if (first === undefined || first.tag.toLowerCase() === 'en') return COMMON_LOCALE
  return new Intl.NumberFormat(first.tag).resolvedOptions().locale
}

function isKnown(tag: string): boolean {
  return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
}
