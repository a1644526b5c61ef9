// How the payer writes numbers and dates, as the browser tells. The words stay English.

/** Where nothing is said that anybody knows. */
export const COMMON_LOCALE = 'en-US'

/** `de-CH`, `pt`, `zh-Hant-TW`: what makes no difference to numbers and dates is left out. */
const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i

/** More of them are not looked at: the first one that is known counts. */
const MOST_TAGS = 8

/** By the name that Intl gives it: of those there are only so many. */
export function localeOf(acceptLanguage: string | undefined): string {
  const tags = (acceptLanguage ?? '').split(',', MOST_TAGS).map((part) => {
    const [tag = '', weight = ''] = part.split(';')
    return { tag: tag.trim(), weight: Number(/^\s*q=([\d.]+)\s*$/.exec(weight)?.[1] ?? 1) }
  })
  const known = tags
    .filter(({ tag, weight }) => TAG.test(tag) && weight > 0 && isKnown(tag))
    .sort((one, other) => other.weight - one.weight)
  const [first] = known
  // English of nowhere is that of the house.
  if (first === undefined || first.tag.toLowerCase() === 'en') return COMMON_LOCALE
  return new Intl.NumberFormat(first.tag).resolvedOptions().locale
}

function isKnown(tag: string): boolean {
  return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
}
