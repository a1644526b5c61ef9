// The addresses of payers' pages on pages of the console. Their tokens act for the payer, which an
// operator who may only look must not.

import { hasRole } from '../../core/role.ts'
import type { Operator } from '../../operators/session.ts'

const PAYERS_PAGE = /\/(bill|unsubscribe)\/[0-9a-f]{32}/gi

export function mayActForPayer({ role }: Pick<Operator, 'role'>): boolean {
  return hasRole(role, 'operate')
}

/** The text without these tokens, unless the operator may use them. */
export function withoutTokens(text: string, operator: Pick<Operator, 'role'>): string {
  return mayActForPayer(operator) ? text : text.replace(PAYERS_PAGE, '/$1/…')
}
