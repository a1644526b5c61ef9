// Longer texts for payers.

import type { Mode } from '../accounts/key.ts'
import { isolatedLine, sentences } from '../receipts/shown.ts'

/** Explains a failed payment from the gateway's message, and says what to try. */
export function kindReason(message: string | null, mode: Mode): string {
  const said = message ?? ''
  if (/link was deleted/i.test(said)) {
    return 'The seller deleted this payment page before the payment went through.'
  }
  if (/deadline/i.test(said))
    return 'Your bank did not answer in time, so the payment was canceled.'
  const isDeclined = said === '' || /declin/i.test(said)
  return sentences(
    isDeclined
      ? 'Your bank declined this payment.'
      : `The payment gateway says: “${isolatedLine(said)}”.`,
    'Check the details or try another card.',
    mode === 'sandbox' ? 'In this test, only the test cards are approved.' : undefined,
  )
}

/** Shows enough of an address for its owner to recognize it. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}…${address.slice(at)}`
}
