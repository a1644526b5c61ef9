// Webhooks by the Standard Webhooks specification, with Web Crypto, so that it runs everywhere.

import type { WebhookEvents } from './api.ts'
import { SignatureError } from './errors.ts'

/** A verified event; `name` says what `data` is. */
export type WebhookMessage = {
  [Name in keyof WebhookEvents]: {
    /** The same at every attempt and in every replay: process each id once. */
    readonly id: string
    readonly name: Name
    /** Within one resource the highest is the latest. */
    readonly sequence: number
    readonly createdAt: string
    /** The resource as it was at that moment. */
    readonly data: WebhookEvents[Name]
  }
}[keyof WebhookEvents]

export interface VerifyOptions {
  /** How far the timestamp may be from `now`; 300 seconds by default. */
  readonly toleranceSeconds?: number
  readonly now?: Date
}

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const TOLERANCE_S = 300

/** While a secret is rolled there are two; more are not worth the work. */
const MOST_SIGNATURES = 10

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Returns the event of a webhook, or throws a SignatureError. `body` is the text or the bytes as
 * they were received; `secrets` is one `whsec_…` or several.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_S, now = new Date() }: VerifyOptions = {},
): Promise<WebhookMessage> {
  const text = textOf(body)
  const keys = [secrets].flat()
  if (keys.length === 0 || keys.some((one) => typeof one !== 'string')) {
    throw new TypeError('verifyWebhook needs the secret of the endpoint, whsec_…, or several.')
  }
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  // NaN is not within it either.
  if (!(age <= toleranceSeconds)) throw new SignatureError('The timestamp is too far from now.')
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const signatures = headerOf(headers, 'webhook-signature').split(' ').slice(0, MOST_SIGNATURES)
  for (const secret of keys) {
    const key = await keyOf(secret)
    for (const [, encoded] of signatures.flatMap((one) => [...one.matchAll(/^v1,(.+)$/g)])) {
      const signature = bytesOf(encoded ?? '')
      // The comparison takes the same time whatever differs.
      const isRight = await crypto.subtle.verify(HMAC.name, key, signature, signed)
      if (isRight) return messageOf(id, headers, text)
    }
  }
  throw new SignatureError('The signature is not of this body under this secret.')
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) return new TextDecoder().decode(body)
  throw new TypeError('verifyWebhook needs the raw body as it arrived, a string or bytes.')
}

function messageOf(id: string, headers: HeadersLike, text: string): WebhookMessage {
  return {
    id,
    name: headerOf(headers, 'event-name'),
    sequence: Number(headerOf(headers, 'event-sequence')),
    createdAt: headerOf(headers, 'event-created-at'),
    data: JSON.parse(text),
  } as WebhookMessage
}

function headerOf(headers: HeadersLike, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name)
  if (typeof value !== 'string' || value === '') throw new SignatureError(`${name} is missing.`)
  return value
}

function plainHeader(headers: Exclude<HeadersLike, Headers>, name: string): unknown {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return [found?.[1]].flat()[0]
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (bytes.length === 0) throw new TypeError('A secret looks like whsec_… and is base64.')
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
}

/** None where it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
