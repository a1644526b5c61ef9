// A finding is what the doctor says about one subject. A fault is a finding that is not good.

export interface Finding {
  readonly subject: string
  /** `odd` deserves a look, but may be intended. */
  readonly state: 'good' | 'odd' | 'bad'
  /** In plain words, with the figures. */
  readonly says: string
  /** The command, the setting or the console page that mends it. */
  readonly remedy?: string
}

export type Fault = Required<Omit<Finding, 'subject' | 'state'>> & {
  readonly state: 'odd' | 'bad'
}

/** One finding for each fault of the subject, or a single good one when there is no fault. */
export function findingsOf(
  subject: string,
  well: string,
  faults: readonly (Fault | undefined)[],
): readonly Finding[] {
  const found = faults.filter((fault) => fault !== undefined)
  if (found.length === 0) return [{ subject, state: 'good', says: well }]
  return found.map((fault) => ({ subject, ...fault }))
}

/** A fault when the condition holds. */
export function odd(condition: boolean, says: string, remedy: string): Fault | undefined {
  return condition ? { state: 'odd', says, remedy } : undefined
}

export function bad(condition: boolean, says: string, remedy: string): Fault | undefined {
  return condition ? { state: 'bad', says, remedy } : undefined
}
