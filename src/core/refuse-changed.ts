// Refuses a change that was typed over an older state of a row.

import { Refusal } from './errors.ts'

/** A form that was sent twice, or that was shown before another change, does nothing. */
export function refuseChanged(
  what: string,
  { version }: { readonly version: number },
  seenVersion: number | undefined,
): void {
  if (seenVersion !== undefined && version !== seenVersion) {
    throw new Refusal('wrong_state', { message: `the ${what} has changed meanwhile` })
  }
}
