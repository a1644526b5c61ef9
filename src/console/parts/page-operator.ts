// The operator who looks at the page. Its forms carry this operator's token, and follow this
// operator's role.

import assert from 'node:assert/strict'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Operator } from '../../operators/session.ts'

/** Undefined before the sign-in. */
export const PageOperator = createContext<Operator | undefined>(undefined)

export function usePageOperator(): Operator {
  const operator = useContext(PageOperator)
  assert(operator !== undefined, 'a page before the sign-in shows no form of an operator')
  return operator
}
