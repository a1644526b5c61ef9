import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isStrongPassword, STRONG_PASSWORD } from '../core/strong-password.ts'
import { HOUR, MINUTE, SECOND } from '../core/time-units.ts'
import { hiddenValue, masked, visible } from './masking.ts'

/** Reads one kind of setting, describes a valid one, and shows an invalid one safely. */
export interface SettingKind<T> {
  readonly wanted: string
  /** The value, or undefined when the text is invalid. The text is trimmed and not empty. */
  readonly parse: (text: string) => T | undefined
  readonly show: (text: string) => string
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR }

/** The ranges that Fastify knows by name. */
const NAMED_RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal']

const HOSTNAME =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?$/i

/** No control characters: they would end the line of the header that the address stands in. */
const MAILBOX =
  /^(?:[^<>\p{Cc}]*<[^<>@\s\p{Cc}]+@[^<>@\s\p{Cc}]+>|[^<>@\s\p{Cc}]+@[^<>@\s\p{Cc}]+)$/u

const PHONE_NUMBER = /^(\+[1-9]\d{6,14}|\d{3,8}|(?=.*[a-z])[a-z0-9 +_&-]{1,11})$/i

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

const HEX_KEY = /^[0-9a-f]{64}$/i
const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/

/** 32 random bytes have at least 20 different ones, except by rare chance. A typed key has fewer. */
const LEAST_DIFFERENT_BYTES = 16

/** A `*` in it would match nothing, since browsers send whole origins. */
const ORIGIN = /^https?:\/\/[^\s/?#@\\*]+$/i

export function integer(least: number, most: number): SettingKind<number> {
  const wanted = `a whole number from ${least} to ${most}`
  return plain(wanted, (text) => within(least, most, /^\d{1,15}$/.test(text) ? Number(text) : NaN))
}

/** In milliseconds, whichever unit the text uses. */
export function duration(least: string, most: string): SettingKind<number> {
  const [leastMs, mostMs] = [milliseconds(least), milliseconds(most)]
  const wanted = `a time from ${least} to ${most}, such as 500, 500ms, 10s, 5m or 3h`
  return plain(wanted, (text) => within(leastMs, mostMs, milliseconds(text)))
}

export const boolean = plain('true, false, 1 or 0', (text) =>
  truth(text, ['true', '1'], ['false', '0']),
)

export function oneOf<const T extends string>(choices: readonly T[]): SettingKind<T> {
  const wanted = `one of ${choices.join(', ')}`
  return plain(wanted, (text) => choices.find((choice) => choice === text.toLowerCase()))
}

export const oneWord = plain('letters, digits, dots, dashes and underscores', (text) =>
  matching(/^[\w.-]{1,100}$/, text),
)

export const host = plain(
  'a host name or an IP address, without a port and without brackets',
  (text) => (isIP(text) > 0 || HOSTNAME.test(text) ? text : undefined),
)

/** Only a shell reads `~`: a folder of that name would be a new one. */
export const path = plain('a path, without ~', (text) =>
  text.startsWith('~') ? undefined : resolve(text),
)

export const mailbox = plain(
  'an address such as pay@example.com or Example <pay@example.com>',
  (text) => matching(MAILBOX, text),
)

export const phoneNumber = plain(
  'a number such as +12025550123, a short code, or a sender name of up to 11 characters',
  (text) => matching(PHONE_NUMBER, text),
)

/** A fault never quotes a secret. */
export function secret(wanted: string, form: RegExp): SettingKind<string> {
  return { wanted, parse: (text) => matching(form, text), show: hiddenValue }
}

export const password: SettingKind<string> = {
  wanted: STRONG_PASSWORD,
  parse: (text) => (isStrongPassword(text) ? text : undefined),
  show: hiddenValue,
}

/** The keys that seal secrets, all in base64, whichever form they were written in. */
export const secretsKeys: SettingKind<readonly string[]> = {
  wanted:
    '32 random bytes in base64 or hex, such as openssl rand -base64 32 prints, or several, comma-separated',
  parse: (text) => parseCommaList(text, secretsKey),
  show: hiddenValue,
}

const STRIPE_WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/=_-]{8,}$/

export const stripeWebhookSecrets: SettingKind<readonly string[]> = {
  wanted: "Stripe's signing secret, which begins with whsec_, or several, comma-separated",
  parse: (text) => parseCommaList(text, (one) => matching(STRIPE_WEBHOOK_SECRET, one)),
  show: hiddenValue,
}

const CHECKOUT_WEBHOOK_SECRET = /^(?!(?:sk|pk|pc)_)[\x21-\x2b\x2d-\x7e]{16,200}$/

export const checkoutWebhookSecrets: SettingKind<readonly string[]> = {
  wanted: 'the signature key of your webhook, 16 characters or more; or several, comma-separated',
  parse: (text) => parseCommaList(text, (one) => matching(CHECKOUT_WEBHOOK_SECRET, one)),
  show: hiddenValue,
}

/** Headers by the rules of OpenTelemetry; a value is percent-encoded as in an address. */
export const headerPairs: SettingKind<Readonly<Record<string, string>>> = {
  wanted: 'name=value pairs, comma-separated, special characters of a value as %2C',
  parse(text) {
    const pairs = parseCommaList(text, headerPair)
    return pairs && Object.fromEntries(pairs)
  },
  show: hiddenValue,
}

interface ServerUrl {
  readonly schemes: readonly string[]
  readonly needsHost: boolean
  /** The parameters about encryption; those that begin with `tls.` are others. */
  readonly encryption: readonly string[]
}

/** The address of a server, as its client library will read it. It may hold a password. */
export function serverUrl(wanted: string, { schemes, needsHost, encryption }: ServerUrl) {
  const parse = (text: string) => {
    const url = parseUrl(text, schemes)
    if (url === undefined || (needsHost && url.hostname === '')) return undefined
    return [...url.searchParams.keys()].some(isMisspelt) ? undefined : text
  }
  // The library ignores a name that it does not know, and the connection would be in plain text.
  const isMisspelt = (name: string) =>
    /ssl|tls/i.test(name) && !encryption.includes(name) && !name.startsWith('tls.')
  return { wanted, parse, show: masked } satisfies SettingKind<string>
}

/**
 * Without the slash at its end, so that a path can be appended. `URL` reads a list of addresses,
 * and a doubled `https://`, as one address that leads nowhere.
 */
export const publicUrl = plain(
  'one http:// or https:// address without a user, a query or a fragment',
  (text) => {
    const url = parseUrl(text, ['http:', 'https:'])
    const isBare = url !== undefined && !/[?#]/.test(text) && url.username + url.password === ''
    const isOne = isBare && !/,|\/\/./.test(url.host + url.pathname)
    return isOne ? url.href.replace(/\/+$/, '') : undefined
  },
)

export const origins: SettingKind<'*' | readonly string[]> = plain(
  '* or whole origins such as https://shop.example, comma-separated, with no slash at the end',
  (text) => (text === '*' ? text : parseCommaList(text, origin)),
)

/**
 * `true` or `false`, or what Fastify's `trustProxy` reads: addresses and ranges, comma-separated.
 * A number of hops, which many servers accept, is refused: a client that bypasses the proxy could
 * forge its own hops, and 1 must not be taken for true.
 */
export const trustProxy: SettingKind<boolean | string> = plain(
  'true, false, or addresses and ranges such as 10.0.0.0/8, loopback (a number of hops is not supported)',
  (text) => truth(text, ['true'], ['false']) ?? parseCommaList(text, addressRange)?.join(','),
)

/** Undefined for an address that a client library would refuse later. */
export function parseUrl(text: string, schemes: readonly string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !schemes.includes(url.protocol)) return undefined
  return [url.username, url.password, url.pathname].every(isDecodable) ? url : undefined
}

/** Every part of a comma-separated list, or undefined if one of them is invalid. */
export function parseCommaList<T>(
  text: string,
  parse: (part: string) => T | undefined,
): T[] | undefined {
  const values = text.split(',').map((part) => parse(part.trim()))
  const right = values.filter((value) => value !== undefined)
  return right.length === values.length ? right : undefined
}

function plain<T>(wanted: string, parse: (text: string) => T | undefined): SettingKind<T> {
  return { wanted, parse, show: visible }
}

function within(least: number, most: number, value: number): number | undefined {
  return value >= least && value <= most ? value : undefined
}

/** NaN when the text is no time: it lies within no bounds. */
function milliseconds(text: string): number {
  const [, count, unit = 'ms'] = /^(\d{1,15})\s*(ms|s|m|h)?$/.exec(text) ?? []
  return Number(count) * (UNITS[unit] ?? NaN)
}

function truth(text: string, yes: readonly string[], no: readonly string[]): boolean | undefined {
  const word = text.toLowerCase()
  if (yes.includes(word)) return true
  return no.includes(word) ? false : undefined
}

function matching(form: RegExp, text: string): string | undefined {
  return form.test(text) ? text : undefined
}

/** As a browser writes it: lower case, and without the scheme's own port. */
function origin(text: string): string | undefined {
  return ORIGIN.test(text) && URL.canParse(text) ? new URL(text).origin : undefined
}

function addressRange(text: string): string | undefined {
  if (NAMED_RANGES.includes(text)) return text
  const [address = '', bits, ...rest] = text.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0 || rest.length > 0) return undefined
  if (bits === undefined) return text
  const most = version === 4 ? 32 : 128
  return /^\d{1,3}$/.test(bits) && within(1, most, Number(bits)) !== undefined ? text : undefined
}

function secretsKey(text: string): string | undefined {
  const encoding = HEX_KEY.test(text) ? 'hex' : BASE64_KEY.test(text) ? 'base64' : undefined
  const bytes = encoding && Buffer.from(text, encoding)
  const isRandom = bytes !== undefined && new Set(bytes).size >= LEAST_DIFFERENT_BYTES
  return isRandom ? bytes.toString('base64') : undefined
}

function headerPair(text: string): readonly [name: string, value: string] | undefined {
  const [name = '', ...rest] = text.split('=')
  const value = rest.join('=').trim()
  const isRight = rest.length > 0 && HEADER_NAME.test(name.trim()) && isDecodable(value)
  return isRight ? [name.trim(), decodeURIComponent(value)] : undefined
}

/** `URL` accepts a `%` that starts no escape; client libraries throw on it. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
