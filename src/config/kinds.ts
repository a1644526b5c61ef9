import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { hidden, masked, visible } from './masking.ts'
import { isStrongPassword, STRONG_PASSWORD } from './password.ts'

/**
 * How one kind of setting is read, what a right one looks like, and how a wrong one may be shown.
 */
export interface Kind<T> {
  readonly wanted: string
  /** The value, or undefined where the text is not one. Gets trimmed text that is not empty. */
  readonly parse: (text: string) => T | undefined
  readonly show: (text: string) => string
}

/**
 * `true` or `false`, or what Fastify's `trustProxy` reads: addresses and ranges, comma-separated.
 */
export type TrustProxy = boolean | string

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR }

/** The ranges that Fastify knows by name. */
const NAMED_RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal']

const HOSTNAME =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?$/i

/** No control characters: they would end the line of the header that the address stands in. */
const MAILBOX =
  /^(?:[^<>\p{Cc}]*<[^<>@\s\p{Cc}]+@[^<>@\s\p{Cc}]+>|[^<>@\s\p{Cc}]+@[^<>@\s\p{Cc}]+)$/u

const ORIGIN = /^https?:\/\/[^\s/?#@\\]+$/i

export function integer(least: number, most: number): Kind<number> {
  const wanted = `a whole number from ${least} to ${most}`
  return plain(wanted, (text) => within(least, most, /^\d{1,15}$/.test(text) ? Number(text) : NaN))
}

/** Milliseconds, whatever unit they were written in. */
export function duration(least: string, most: string): Kind<number> {
  const [leastMs, mostMs] = [milliseconds(least), milliseconds(most)]
  const wanted = `a time from ${least} to ${most}, such as 500, 500ms, 10s, 5m or 3h`
  return plain(wanted, (text) => within(leastMs, mostMs, milliseconds(text)))
}

export function boolean(): Kind<boolean> {
  return plain('true, false, 1 or 0', (text) => truth(text, ['true', '1'], ['false', '0']))
}

export function oneOf<const T extends string>(choices: readonly T[]): Kind<T> {
  const wanted = `one of ${choices.join(', ')}`
  return plain(wanted, (text) => choices.find((choice) => choice === text.toLowerCase()))
}

export function oneWord(): Kind<string> {
  return plain('letters, digits, dots, dashes and underscores', (text) =>
    matching(/^[\w.-]{1,100}$/, text),
  )
}

export function host(): Kind<string> {
  const wanted = 'a host name or an IP address, without a port and without brackets'
  return plain(wanted, (text) => (isIP(text) > 0 || HOSTNAME.test(text) ? text : undefined))
}

export function directory(): Kind<string> {
  return plain('a path', (text) => resolve(text))
}

export function mailbox(): Kind<string> {
  const wanted = 'an address such as pay@example.com or Example <pay@example.com>'
  return plain(wanted, (text) => matching(MAILBOX, text))
}

export function phoneNumber(): Kind<string> {
  const wanted =
    'a number such as +12025550123, a short code, or a sender name of up to 11 characters'
  const sender = /^(\+[1-9]\d{6,14}|\d{3,8}|(?=.*[a-z])[a-z0-9 +_&-]{1,11})$/i
  return plain(wanted, (text) => matching(sender, text))
}

/** What a fault says of a secret is only that it is wrong. */
export function secret(wanted: string, form: RegExp): Kind<string> {
  return { wanted, parse: (text) => matching(form, text), show: hidden }
}

export function password(): Kind<string> {
  const parse = (text: string) => (isStrongPassword(text) ? text : undefined)
  return { wanted: STRONG_PASSWORD, parse, show: hidden }
}

/** The address of a server, as its client library will read it. It may hold a password. */
export function serverUrl(wanted: string, schemes: readonly string[], needsHost: boolean) {
  const parse = (text: string) => {
    const url = parseUrl(text, schemes)
    return url === undefined || (needsHost && url.hostname === '') ? undefined : text
  }
  return { wanted, parse, show: masked } satisfies Kind<string>
}

/** Without the slash at its end, so that a path can be put behind it. */
export function publicUrl(): Kind<string> {
  const wanted = 'an http:// or https:// address without a user, a query or a fragment'
  return plain(wanted, (text) => {
    const url = parseUrl(text, ['http:', 'https:'])
    const isBare = url !== undefined && !/[?#]/.test(text) && url.username + url.password === ''
    return isBare ? url.href.replace(/\/+$/, '') : undefined
  })
}

export function origins(): Kind<'*' | readonly string[]> {
  const wanted =
    '* or origins such as https://shop.example, comma-separated, with no slash at the end'
  return plain(wanted, (text) => (text === '*' ? text : allOf(text, origin)))
}

/**
 * A number is refused, though many servers read one as a count of hops: Fastify trusts nobody then,
 * since a client that comes past the proxy could write its own hops, and 1 must not be taken for
 * true.
 */
export function trustProxy(): Kind<TrustProxy> {
  const wanted =
    'true, false, or addresses and ranges such as 10.0.0.0/8, loopback (a number of hops is not supported)'
  return plain(wanted, (text) => {
    return truth(text, ['true'], ['false']) ?? allOf(text, addressRange)?.join(',')
  })
}

/** The parsed address, or undefined where a client would stumble over it later. */
export function parseUrl(text: string, schemes: readonly string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !schemes.includes(url.protocol)) return undefined
  return [url.username, url.password, url.pathname].every(isDecodable) ? url : undefined
}

/** Every part of a comma-separated list, or undefined if one of them is not right. */
export function allOf<T>(text: string, parse: (part: string) => T | undefined): T[] | undefined {
  const values = text.split(',').map((part) => parse(part.trim()))
  const right = values.filter((value) => value !== undefined)
  return right.length === values.length ? right : undefined
}

function plain<T>(wanted: string, parse: (text: string) => T | undefined): Kind<T> {
  return { wanted, parse, show: visible }
}

function within(least: number, most: number, value: number): number | undefined {
  return value >= least && value <= most ? value : undefined
}

/** NaN where the text is no time, which lies within no bounds. */
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

/** A `%` that starts no escape is let through by URL and thrown at by the clients. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
