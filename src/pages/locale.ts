// The locale for numbers and dates, from the browser's Accept-Language. The texts stay English.

/** Used when the browser names no locale that Intl knows. */
export const COMMON_LOCALE = 'en-US'

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
