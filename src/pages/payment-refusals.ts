// Reasons why a page takes no payments from any payer, each with a status and a text for payers.

import { obstacleOf } from '../accounts/acting-account.ts'
import type { PaymentLink } from '../generated/client.ts'
import { sentences } from '../receipts/shown.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { payeeName } from './parts/pay-page.tsx'
import type { Payee } from './payee.ts'

const NOT_CHARGED = 'You were not charged.'

/** The page takes no payments in its current state. */
export class PaymentRefusal extends Error {
  readonly status: number
  readonly title: string
  readonly payee: Payee
  readonly words: string

  constructor(payee: Payee, status: number, title: string, words: string) {
    super(title)
    this.name = 'PaymentRefusal'
    this.status = status
    this.title = title
    this.payee = payee
    this.words = words
  }
}

export function unknownPage(): PageRefusal {
  return new PageRefusal(
    404,
    'Nothing to pay here',
    'There is no payment page at this address. Please check the link that you were given.',
  )
}

/** A deleted link takes no payments, even on pages that are already open. */
export function refuseDeleted(payee: Payee, { deletedAt }: PaymentLink): void {
  if (deletedAt === null) return
  const words = sentences(
    `${payeeName(payee)} has deleted this payment page.`,
    'It takes no more payments.',
  )
  throw new PaymentRefusal(payee, 410, 'This payment page is gone', words)
}

export function refuseInactive(payee: Payee, { active }: PaymentLink): void {
  if (active) return
  const words = sentences(
    `${payeeName(payee)} is not taking payments through this page at the moment.`,
    NOT_CHARGED,
  )
  throw new PaymentRefusal(payee, 409, 'Not open for payments', words)
}

/** Returns the account's gateway; throws when there is none or the team is inactive. */
export function gatewayForPayers(world: World, payee: Payee) {
  if (obstacleOf(payee.team) !== undefined) {
    const words = sentences(
      `${payeeName(payee)} cannot take payments at the moment.`,
      NOT_CHARGED,
      'Please ask them about it.',
    )
    throw new PaymentRefusal(payee, 403, 'No payments at the moment', words)
  }
  const gateway = world.gateways.of(payee)
  if (gateway !== undefined && gateway.browserTokens.kind !== 'none') return gateway
  const words = sentences(
    `${payeeName(payee)} has no payment gateway yet, so this page can’t take payments.`,
    NOT_CHARGED,
  )
  throw new PaymentRefusal(payee, 503, 'No payments at the moment', words)
}

/** A sandbox account takes no payments while its clock advances, which takes moments. */
export function refusePaymentWhileAdvancing({ isClockAdvancing }: Payee): void {
  if (!isClockAdvancing) return
  const words = sentences(
    'The clock of this test account is being moved.',
    NOT_CHARGED,
    'Please try again in a moment.',
  )
  throw new PageRefusal(409, 'One moment', words)
}
