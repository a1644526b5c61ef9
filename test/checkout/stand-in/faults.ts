// What can go wrong between a client and Checkout.com, as a test plans it for each request.

export type CheckoutFault =
  /** The connection is closed, before or after the request was executed. */
  | { readonly kind: 'cut'; readonly isExecuted: boolean }
  /** Nothing is ever answered. */
  | { readonly kind: 'hang'; readonly isExecuted: boolean }
  /** The execution takes so long, and meanwhile its idempotency key is in use. */
  | { readonly kind: 'slow'; readonly lastsMs: number }
  /** A 500. The key is not kept, although the request may have been executed. */
  | { readonly kind: 'server error'; readonly isExecuted: boolean }
  /** A proxy's page in HTML. */
  | { readonly kind: 'bad gateway'; readonly isExecuted: boolean }
  /** A 200 that is not JSON. */
  | { readonly kind: 'garbage'; readonly isExecuted: boolean }
  /** Executed, and the connection is reset in the middle of the answer. */
  | { readonly kind: 'reset in the body' }
  | { readonly kind: 'too many requests' }
  /** The key was revoked, or is not allowed this. */
  | { readonly kind: 'key refused'; readonly status: 401 | 403 }

/** A request as a plan sees it. */
export interface PlannedRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
}

export type CheckoutFaultPlan = (request: PlannedRequest) => CheckoutFault | undefined
