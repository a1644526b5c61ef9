// The roles of operators. Each may do what the ones before it may.

export const ROLES = ['view', 'operate', 'admin'] as const

export type Role = (typeof ROLES)[number]

/** The words of the forms and lists in which a role is chosen. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  view: 'sees everything, changes nothing',
  operate: 'acts on payments, bills, messages and queues',
  admin: 'also manages teams, keys, webhook endpoints and operators',
}

export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

export function roleNamed(text: string | undefined): Role | undefined {
  return ROLES.find((role) => role === text)
}
