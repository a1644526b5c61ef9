// The names of operators, as the audit log has them.

export const LONGEST_NAME = 60

/** Audit entries of the service itself have these names. */
const TAKEN = ['start', 'command line', 'stranger']

/** Why an operator cannot be called so. */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name.'
  if (/\p{C}/u.test(name) || [...name].length > LONGEST_NAME) {
    return `Enter a name of ${LONGEST_NAME} visible characters at most.`
  }
  if (TAKEN.includes(nameKeyOf(name))) return 'The service itself goes by that name.'
  return undefined
}

/** Two names with the same key look alike. */
export function nameKeyOf(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}
