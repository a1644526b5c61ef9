// Who asks for a change, and how: what every action that the API offers is handed.

export interface Asking {
  readonly accountId: string
  /** The account's own time, where it has one. */
  readonly clockAt: Date | null
  readonly requestId: string
  readonly idempotencyKey: string | undefined
}
