// The one place that knows what time it is. Everybody else is handed an instant.

export interface Clock {
  now(): Date
}

export const realClock: Clock = { now: () => new Date() }

/** An account's own time: the real one, unless a sandbox account has set its clock. */
export function accountNow(clock: Clock, account: { readonly clockAt: Date | null }): Date {
  return account.clockAt ?? clock.now()
}
