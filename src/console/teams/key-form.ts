// What was typed of a key, and what is wrong with it.

import { MODES } from '../../accounts/key.ts'
import { OperatorError } from '../../accounts/operator-error.ts'
import { readExpiry } from '../../accounts/read-instant.ts'
import type { Form } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import type { FormFaults } from '../parts/fields.tsx'

const LONGEST = 120

export function typedKeyForm(form: Form): Form {
  const names = ['mode', 'key_name', 'expires']
  const texts = names.map((name) => [name, (form[name] ?? '').replaceAll('\0', '').trim()])
  return Object.fromEntries(texts.map(([name, text]) => [name, text?.slice(0, LONGEST)]))
}

export function faultsOf(
  world: World,
  { mode, key_name: name, expires = '' }: Form,
  also = '',
): FormFaults {
  const fault =
    expires === also || expires === ''
      ? undefined
      : told(() => readExpiry(expires, world.clock.now()))
  return {
    ...(MODES.some((one) => one === mode) ? {} : { mode: 'Choose live or sandbox.' }),
    ...(name === '' ? { key_name: 'Enter a name.' } : {}),
    ...(typeof fault === 'string' ? { expires: fault } : {}),
  }
}

/** What was read, or what is wrong with it. */
export function told(read: () => Date): Date | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
}
