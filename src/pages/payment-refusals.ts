// Reasons why a page takes no payments from any payer, each with a status and a text for payers.

import { obstacleOf } from '../accounts/acting-account.ts'
import { NamedError } from '../core/named-error.ts'
import type { PaymentLink } from '../generated/client.ts'
import type { World } from '../world.ts'
import { payeeName } from './parts/pay-page.tsx'
import type { Payee } from './payee.ts'
import { EN, type Texts } from './texts/en.ts'

/** The title and the text of a page that only explains. */
export interface Explained {
  readonly title: string
  readonly message: string
}

/** Its words are chosen once the reader's language is known. */
export class PayerRefusal extends NamedError {
  readonly status: number
  readonly explain: (texts: Texts) => Explained

  constructor(status: number, explain: (texts: Texts) => Explained) {
    super(explain(EN).title)
    this.status = status
    this.explain = explain
  }
}

/** The page takes no payments in its current state. */
export class PaymentRefusal extends PayerRefusal {
  readonly payee: Payee

  constructor(payee: Payee, status: number, explain: (texts: Texts) => Explained) {
    super(status, explain)
    this.payee = payee
  }
}

export function unknownPage(): PayerRefusal {
  return new PayerRefusal(404, ({ refusals }) => refusals.unknownPage)
}

/** A deleted link takes no payments, even on pages that are already open. */
export function refuseDeleted(payee: Payee, { deletedAt }: PaymentLink): void {
  if (deletedAt === null) return
  throw new PaymentRefusal(payee, 410, ({ refusals }) => refusals.deleted(payeeName(payee)))
}

export function refuseInactive(payee: Payee, { active }: PaymentLink): void {
  if (active) return
  throw new PaymentRefusal(payee, 409, ({ refusals }) => refusals.inactive(payeeName(payee)))
}

/** The customer of the bill is deleted. */
export function billClosed(payee: Payee): PaymentRefusal {
  return new PaymentRefusal(payee, 410, ({ refusals }) => refusals.billClosed(payeeName(payee)))
}

/** Returns the account's gateway; throws when there is none or the team is inactive. */
export function gatewayForPayers(world: World, payee: Payee) {
  if (obstacleOf(payee.team) !== undefined) {
    throw new PaymentRefusal(payee, 403, ({ refusals }) => refusals.noPayments(payeeName(payee)))
  }
  const gateway = world.gateways.of(payee)
  if (gateway !== undefined && gateway.browserTokens.kind !== 'none') return gateway
  throw new PaymentRefusal(payee, 503, ({ refusals }) => refusals.noGateway(payeeName(payee)))
}

/** A sandbox account takes no payments while its clock advances, which takes moments. */
export function refusePaymentWhileAdvancing({ isClockAdvancing }: Payee): void {
  if (isClockAdvancing) throw new PayerRefusal(409, ({ refusals }) => refusals.advancing)
}
