// The catalogue of the API's errors. A code never changes; its message may be improved.

import { CONFLICTS } from './errors/conflicts.ts'
import { OWN_ERRORS } from './errors/own-errors.ts'
import { REQUEST_ERRORS } from './errors/request-errors.ts'

export const ERROR_CATALOGUE = { ...REQUEST_ERRORS, ...CONFLICTS, ...OWN_ERRORS }

export type ErrorCode = keyof typeof ERROR_CATALOGUE

/** Faults by field; nested fields are dotted, as in `ccEmails.0`. */
export type Faults = Readonly<Record<string, readonly string[]>>

/** A refusal that is returned to the caller as it is. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly faults: Faults | undefined

  constructor(code: ErrorCode, options: { message?: string; faults?: Faults } = {}) {
    super(options.message ?? firstFault(options.faults) ?? ERROR_CATALOGUE[code].message)
    this.name = 'Refusal'
    this.code = code
    this.faults = options.faults
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status
  }
}

function firstFault(faults: Faults | undefined): string | undefined {
  const [field, texts] = Object.entries(faults ?? {})[0] ?? []
  return field === undefined ? undefined : `${field} ${texts?.[0]}`
}
