// Why nothing can be paid at a page, whoever asks: told as a page with its status, in words for
// payers.

import { obstacleOf } from '../accounts/acting-account.ts'
import type { PaymentLink } from '../generated/client.ts'
import { sentences } from '../receipts/shown.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { nameOf } from './parts/pay-page.tsx'
import type { Payee } from './payee.ts'

const NOT_CHARGED = 'Nothing was charged.'

/** Nothing can be paid here as things are. */
export class Standstill extends Error {
  readonly status: number
  readonly title: string
  readonly payee: Payee
  readonly words: string

  constructor(payee: Payee, status: number, title: string, words: string) {
    super(title)
    this.name = 'Standstill'
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

/** Of a link that has been deleted: from that instant on. */
export function refuseDeleted(payee: Payee, { deletedAt }: PaymentLink): void {
  if (deletedAt === null) return
  const words = sentences(
    `${nameOf(payee)} has withdrawn this payment page for good.`,
    'Nothing can be paid here any more.',
  )
  throw new Standstill(payee, 410, 'This payment page is gone', words)
}

export function refuseInactive(payee: Payee, { active }: PaymentLink): void {
  if (active) return
  const words = sentences(
    `${nameOf(payee)} is not taking payments through this page at the moment.`,
    NOT_CHARGED,
  )
  throw new Standstill(payee, 409, 'Not open for payments', words)
}

/** The gateway by which the account's payers pay. */
export function gatewayForPayers(world: World, payee: Payee) {
  if (obstacleOf(payee.team) !== undefined) {
    const words = sentences(
      `${nameOf(payee)} cannot take payments at the moment.`,
      NOT_CHARGED,
      'Please ask them about it.',
    )
    throw new Standstill(payee, 403, 'No payments at the moment', words)
  }
  const gateway = world.gateways.of(payee)
  if (gateway?.browserTokens.kind === 'own form') {
    return { gateway, tokens: gateway.browserTokens }
  }
  const words = sentences(
    `Cards cannot be taken here yet: no payment gateway is set up for ${nameOf(payee)}.`,
    NOT_CHARGED,
  )
  throw new Standstill(payee, 503, 'Payments cannot be taken now', words)
}

/** Of an account whose own time is on its way elsewhere. It is over in moments. */
export function refuseWhileAdvancing({ isClockAdvancing }: Payee): void {
  if (!isClockAdvancing) return
  const words = sentences(
    'The clock of this test account is being moved.',
    NOT_CHARGED,
    'Please try again in a moment.',
  )
  throw new PageRefusal(409, 'One moment', words)
}
