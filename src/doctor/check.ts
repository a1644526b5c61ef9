// The shape of a check: it finds problems, each with its remedy, or says what is well.

import type { World } from '../world.ts'

export type Check = (world: World) => CheckResult | Promise<CheckResult>

interface CheckResult {
  readonly subject: string
  /** Printed if there is no problem. Without it, the subject is then left out. */
  readonly ok?: string
  /** Those that do not apply are false: `isFull && fault('…', '…')`. */
  readonly problems: readonly (Problem | false)[]
}

export interface Finding {
  readonly subject: string
  /** A warning deserves a look, but may be intended. */
  readonly state: 'ok' | 'warning' | 'fault'
  /** In plain words, with the figures. */
  readonly says: string
  /** The command, the setting or the console page that mends it. */
  readonly remedy?: string
}

export type Problem = Omit<Finding, 'subject'>

export function warning(says: string, remedy: string): Problem {
  return { state: 'warning', says, remedy }
}

export function fault(says: string, remedy: string): Problem {
  return { state: 'fault', says, remedy }
}

/** One finding for each problem, or a single one that says what is well. */
export async function findingsOf(check: Check, world: World): Promise<readonly Finding[]> {
  const { subject, ok, problems } = await check(world)
  const found = problems.filter((one) => one !== false)
  if (found.length > 0) return found.map((problem) => ({ subject, ...problem }))
  return ok === undefined ? [] : [{ subject, state: 'ok', says: ok }]
}
