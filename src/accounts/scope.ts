// The accounts of a round, and its current instant. A round in real time covers all accounts
// without a clock of their own. The advance of a clock runs rounds for its own account, at the
// instants of that clock.

export interface Scope {
  readonly accountId: string
  /** In the account's own time. */
  readonly now: Date
}

/**
 * When a round in real time must handle work that is due at this instant of the account. Never, if
 * the account has a clock of its own.
 */
export function realDueAt(account: { readonly clockAt: Date | null }, instant: Date): Date | null {
  return account.clockAt === null ? instant : null
}
