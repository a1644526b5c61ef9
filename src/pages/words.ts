// What payers are told that takes more than a word.

import type { Mode } from '../accounts/key.ts'
import { sentences, shown } from '../receipts/shown.ts'

/** Why a payment failed, of what the gateway said, and what helps. */
export function kindReason(message: string | null, mode: Mode): string {
  const said = message ?? ''
  if (/link was deleted/i.test(said)) {
    return 'The seller has withdrawn this payment page in the meantime.'
  }
  if (/deadline/i.test(said)) return 'The bank did not answer in time, so it was called off.'
  const isDeclined = said === '' || /declin/i.test(said)
  return sentences(
    isDeclined ? DECLINED : `The payment gateway says: “${shown(said)}”.`,
    'Check the details, or try another card.',
    mode === 'sandbox' ? 'In this test, only the test cards are approved.' : undefined,
  )
}

const DECLINED = sentences(
  'It was declined by the bank, which seldom says why:',
  'a limit, too little in the account, or a detail that does not match.',
)

/** Enough of it for its owner to know it by. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}…${address.slice(at)}`
}
