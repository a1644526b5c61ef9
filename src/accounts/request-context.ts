// The account, the request and its idempotency key: every action of the API gets them.

export interface RequestContext {
  readonly accountId: string
  /** The account's own time, where it has one. */
  readonly clockAt: Date | null
  readonly requestId: string
  readonly idempotencyKey: string | undefined
}
