// A customer is somebody: one field or another says who.

const NAMES = ['firstname', 'lastname', 'company', 'email']

/** Told of the first of them. */
export const NAMELESS = `is required, or another of ${NAMES.join(', ')}`

export function isNamed(customer: object): boolean {
  const fields = new Map(Object.entries(customer))
  return NAMES.some((name) => (fields.get(name) ?? '') !== '')
}
