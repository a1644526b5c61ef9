// Faults between a client and Checkout.com, which a test plans for each request.

export type CheckoutFault =
  /** The connection is closed, before or after the request was executed. */
  | { readonly kind: 'cut'; readonly isExecuted: boolean }
  /** The request is never answered. */
  | { readonly kind: 'hang'; readonly isExecuted: boolean }
  /** The execution takes this long, and meanwhile its idempotency key is in use. */
  | { readonly kind: 'slow'; readonly lastsMs: number }
  /** A 500 answer. The key is not kept, although the request may have been executed. */
  | { readonly kind: 'server error'; readonly isExecuted: boolean }
  /** A proxy's error page in HTML. */
  | { readonly kind: 'bad gateway'; readonly isExecuted: boolean }
  /** A 200 answer that is not JSON. */
  | { readonly kind: 'garbage'; readonly isExecuted: boolean }
  /** JSON that is not Checkout.com's, as a proxy writes it. */
  | {
      readonly kind: 'other words'
      readonly isExecuted: boolean
      readonly status: number
      readonly body: string
    }
  /** The request is executed, and the connection is reset in the middle of the answer. */
  | { readonly kind: 'reset in the body' }
  | { readonly kind: 'too many requests' }
  /** A 422: the account is not set up for payments. */
  | { readonly kind: 'account refused' }
  /** The key was revoked, or has no permission. */
  | { readonly kind: 'key refused'; readonly status: number }

/** A request as the fault plan sees it. */
interface PlannedRequest {
  readonly method: string
  /** The path without the query. */
  readonly path: string
}

export type CheckoutFaultPlan = (request: PlannedRequest) => CheckoutFault | undefined
