// The attempts of a delivery, as its history has them.

import type { Delivery } from '../../generated/client.ts'

export interface Attempt {
  readonly at: Date
  /** Undefined for an action of an operator, which `by` names. */
  readonly answer: string | undefined
  readonly by: string | undefined
  readonly ms: number | undefined
  /** The answer of the provider or the endpoint: a status, and the beginning of its text. */
  readonly detail: string | undefined
}

/** The oldest first. */
export function attemptsOf({ history }: Pick<Delivery, 'history'>): readonly Attempt[] {
  return Array.isArray(history) ? history.map((entry) => attemptOf(Object(entry))) : []
}

function attemptOf({ at, answer, by, ms, detail }: Readonly<Record<string, unknown>>): Attempt {
  return {
    at: new Date(String(at)),
    answer: answer === undefined ? undefined : String(answer),
    by: by === undefined ? undefined : String(by),
    ms: typeof ms === 'number' ? ms : undefined,
    detail: typeof detail === 'string' && detail !== '' ? detail : undefined,
  }
}

/** The tries of a recipient, without actions of operators. */
export function lastTryOf(row: Pick<Delivery, 'history'>): Attempt | undefined {
  return attemptsOf(row).findLast(({ answer }) => answer !== undefined)
}

export function isGood({ answer }: Attempt): boolean {
  return answer === 'taken' || answer === 'delivered'
}

export function attemptWords({ answer, by }: Attempt): string {
  if (answer === undefined) return `by the ${by}`
  return answer === 'silent' ? 'no answer' : answer
}

/** The status that an endpoint answered. Undefined for a message, and without an answer. */
export function answeredStatus({ answer, detail }: Attempt): string | undefined {
  return answer === 'silent' || answer === 'away'
    ? undefined
    : /^[1-5]\d\d\b/.exec(detail ?? '')?.[0]
}
