// Who may not touch a clock, and when nobody may.

import type { Caller } from '../accounts/find-caller.ts'
import { Refusal } from '../core/errors.ts'
import type { SandboxClock } from './clock-row.ts'

/** Real money moves in real time. */
export function refuseLive({ mode }: Caller): void {
  if (mode === 'live') throw new Refusal('sandbox_only')
}

/** Said to whoever came at the same moment as another. */
export function refuseChangeWhileAdvancing({ journey }: SandboxClock): void {
  if (journey !== undefined) throw new Refusal('clock_advancing')
}
