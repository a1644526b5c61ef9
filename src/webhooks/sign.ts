// Signs a delivery by the Standard Webhooks specification. The signature proves who sent it, that
// it is unchanged, and when it was sent, so that an old one cannot be sent again by others.

import { createHmac } from 'node:crypto'

export interface MessageToSign {
  readonly id: string
  /** The time of sending, in seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

export interface Secrets {
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretUntil: Date | null
}

/** How every secret begins, by the same specification. */
export const SECRET_PREFIX = 'whsec_'

/**
 * `webhook-signature`: one signature for each valid secret, so that a receiver can verify with
 * either.
 */
export function signatures(message: MessageToSign, secrets: Secrets, now: Date): string {
  return validSecrets(secrets, now)
    .map((secret) => signature(message, secret))
    .join(' ')
}

function validSecrets(secrets: Secrets, now: Date): readonly string[] {
  const previous = validPrevious(secrets, now)
  return previous === null ? [secrets.secret] : [secrets.secret, previous]
}

/** Null if there is none, or its time is over. */
export function validPrevious(
  { previousSecret, previousSecretUntil }: Omit<Secrets, 'secret'>,
  now: Date,
): string | null {
  return previousSecretUntil !== null && previousSecretUntil > now ? previousSecret : null
}

function signature({ id, timestamp, body }: MessageToSign, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
