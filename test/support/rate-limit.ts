// The headers of the rate limit in answers.

import type { App } from '../../src/http/app.ts'
import { send } from './requests.ts'
import type { Answer, Merchant } from './test-service.ts'

export interface RateLimitHeaders {
  readonly left: number
  readonly resetS: number
  readonly limit: number
}

/** undefined if the answer lacks them, or has them in another form. */
export function rateLimitOf({ headers }: Answer): RateLimitHeaders | undefined {
  const [, left, resetS] = /^"default";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit)) ?? []
  const [, limit] = /^"default";q=(\d+);w=60$/.exec(String(headers['ratelimit-policy'])) ?? []
  if (left === undefined || limit === undefined) return undefined
  return { left: Number(left), resetS: Number(resetS), limit: Number(limit) }
}

export const askSelf = (app: App, { headers }: Pick<Merchant, 'headers'>) =>
  send(app, { url: '/self', headers })

export function statusCounts(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
