// Whose business is looked after, and at which instant. A round of the real clock looks after
// everybody's; an account whose clock is being advanced has its own rounds, at the instants at
// which its clock stands.

export interface Scope {
  readonly accountId: string
  /** In the account's own time. */
  readonly now: Date
}

/**
 * When a round of the real clock must see to what falls due at that instant of an account's
 * business: never, where the account has a clock of its own.
 */
export function dueIn(account: { readonly clockAt: Date | null }, instant: Date): Date | null {
  return account.clockAt === null ? instant : null
}
