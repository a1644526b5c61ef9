// `expand` puts the object in the place of its id, as in `latest_charge.balance_transaction`.

import type { StripeAccount } from './account.ts'
import { listOf } from './fields.ts'
import type { StripeForm } from './form.ts'
import { invalid } from './refusals.ts'

type Answer = { [name: string]: unknown }

/** A copy with every field expanded that the form lists. */
export function expanded(account: StripeAccount, form: StripeForm, answer: object): object {
  const copy: Answer = structuredClone(answer) as Answer
  for (const path of listOf(form, 'expand')) expandPath(account, [copy], path.split('.'), path)
  return copy
}

function expandPath(
  account: StripeAccount,
  objects: readonly Answer[],
  [first = '', ...rest]: readonly string[],
  path: string,
): void {
  for (const object of objects) {
    if (!(first in object)) {
      throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand[0]' })
    }
    const value = object[first]
    if (typeof value === 'string') object[first] = lookUp(account, value, path)
    const inner = object[first]
    if (rest.length === 0 || inner === null) continue
    const next = Array.isArray(inner) ? inner : [inner]
    expandPath(account, next as Answer[], rest, path)
  }
}

function lookUp(account: StripeAccount, id: string, path: string): unknown {
  const tables: readonly ReadonlyMap<string, object>[] = [
    account.balanceTransactions,
    account.charges,
    account.customers,
    account.disputes,
    account.paymentIntents,
    account.paymentMethods,
    account.payouts,
    account.refunds,
  ]
  const found = tables.map((table) => table.get(id)).find((object) => object !== undefined)
  if (found === undefined) {
    throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand[0]' })
  }
  return structuredClone(found)
}
