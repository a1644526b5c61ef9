// Faults between a client and Stripe, which a test plans for each request.

import { setTimeout as wait } from 'node:timers/promises'
import type { StripeForm } from './form.ts'

export type StripeFault =
  /** The connection is closed, before or after the request was executed. */
  | { readonly kind: 'cut'; readonly isExecuted: boolean }
  /** The request is never answered. */
  | { readonly kind: 'hang'; readonly isExecuted: boolean }
  /**
   * `arriving`: the request is on its way, and is executed even if the client has gone;
   * `executing`: its idempotency key is in use; `answering`: it has been executed.
   */
  | { readonly kind: 'slow'; readonly lasts: Delay; readonly while: SlowPhase }
  /**
   * A 500. `before` execution it is not kept; `instead` of it, nothing is done and the 500 is kept;
   * `after` it, everything is done and the 500 is kept.
   */
  | { readonly kind: 'server error'; readonly when: ServerErrorMoment }
  /** A proxy's error page in HTML. */
  | { readonly kind: 'bad gateway'; readonly isExecuted: boolean }
  /** A 200 that is not JSON. */
  | { readonly kind: 'garbage'; readonly isExecuted: boolean }
  /** JSON that is not Stripe's, as a proxy writes it. */
  | {
      readonly kind: 'other words'
      readonly isExecuted: boolean
      readonly status: number
      readonly body: string
    }
  /** The request is executed, and the connection is reset in the middle of the answer. */
  | { readonly kind: 'reset in the body' }
  | { readonly kind: 'rate limit' }
  | { readonly kind: 'lock timeout'; readonly status?: 409 | 429 }
  /** The key was revoked, or has no permission. */
  | { readonly kind: 'key refused'; readonly status: 401 | 403 }
  /** A 400 with this code, before anything is executed. */
  | { readonly kind: 'refused'; readonly code: string }
  /** A 400: Stripe does not take the request in this form. */
  | { readonly kind: 'wrong form' }

/** Milliseconds, or until a test releases it. */
export type Delay = Promise<unknown> | number

type SlowPhase = 'answering' | 'arriving' | 'executing'

export type ServerErrorMoment = 'after' | 'before' | 'instead'

/** A request as the fault plan sees it. */
export interface StripeRequest {
  readonly method: string
  /** The path without the query. */
  readonly path: string
  readonly idempotencyKey: string | undefined
  /** The connected account. */
  readonly account: string | undefined
  readonly form: StripeForm
}

export type StripeFaultPlan = (request: StripeRequest) => StripeFault | undefined

/** A plan for the next request that matches, and for no other. */
export function onceFor(
  fits: (request: StripeRequest) => boolean,
  fault: StripeFault,
): StripeFaultPlan {
  let isDone = false
  return (request) => {
    if (isDone || !fits(request)) return undefined
    isDone = true
    return fault
  }
}

export async function delay(lasts: Delay): Promise<void> {
  await (typeof lasts === 'number' ? wait(lasts) : lasts)
}
