// What the doctor says of one thing.

export interface Finding {
  readonly subject: string
  /** `odd` deserves a look, and may be as it should be. */
  readonly state: 'good' | 'odd' | 'bad'
  /** In plain words, with the figures. */
  readonly says: string
  /** The command, the setting or the page of the console that mends it. */
  readonly remedy?: string
}

/** What is wrong with a subject, one after another; where nothing is, one word that all is well. */
export function findingsOf(
  subject: string,
  well: string,
  faults: readonly (Fault | undefined)[],
): readonly Finding[] {
  const found = faults.filter((fault) => fault !== undefined)
  if (found.length === 0) return [{ subject, state: 'good', says: well }]
  return found.map((fault) => ({ subject, ...fault }))
}

export type Fault = Required<Omit<Finding, 'subject' | 'state'>> & {
  readonly state: 'odd' | 'bad'
}

export function odd(says: string, remedy: string): Fault {
  return { state: 'odd', says, remedy }
}

export function bad(says: string, remedy: string): Fault {
  return { state: 'bad', says, remedy }
}
