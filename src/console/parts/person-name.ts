// Who somebody is, in as few words as are known.

import type { Customer } from '../../generated/client.ts'

type Named = Pick<Customer, 'firstname' | 'lastname' | 'company' | 'email' | 'phone'>

export function personName({ firstname, lastname, company, email, phone }: Named): string {
  const own = [firstname, lastname].filter((part) => part !== null && part !== '').join(' ')
  return [own, company, email, phone].find((name) => name !== null && name !== '') ?? '–'
}
