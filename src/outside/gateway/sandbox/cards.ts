// Which cards and bank accounts the sandbox gateway approves, and which it does not take at all.

import cardValidator from 'card-validator'
import { expiryFault } from '../../../core/expiry.ts'
import type { Instrument, Tokenising } from '../port.ts'

const APPROVED_CARDS = new Set([
  '4111111111111111',
  '5555555555554444',
  '378282246310005',
  '6011111111111117',
])
const APPROVED_BANK = { routing: '021000021', account: '9876543210' }

const SEPARATORS = /[ -]/g
const ROUTING = /^\d{9}$/
const ACCOUNT = /^\d{4,17}$/

type Faults = Extract<Tokenising, { kind: 'faults' }>['faults']

export type Examined =
  | {
      readonly kind: 'known'
      readonly approves: boolean
      readonly lastFour: string
      readonly cardType: string | null
    }
  | { readonly kind: 'faults'; readonly faults: Faults }

export function examineCard(instrument: Instrument, now: Date): Examined {
  const number = (instrument.cardNumber ?? '').replace(SEPARATORS, '')
  const verification = cardValidator.number(number)
  const faults = {
    ...(verification.isValid ? {} : { cardNumber: 'is not a valid card number' }),
    ...faultOf('cardExp', expiryFault(instrument.cardExp, now)),
    ...faultOf('cardCvv', cvvFault(instrument.cardCvv)),
  }
  if (Object.keys(faults).length > 0) return { kind: 'faults', faults }
  return {
    kind: 'known',
    approves: APPROVED_CARDS.has(number),
    lastFour: number.slice(-4),
    cardType: verification.card?.type ?? null,
  }
}

export function examineBank(instrument: Instrument): Examined {
  const { bankRouting: routing = '', bankAccount: account = '' } = instrument
  const faults = {
    ...(ROUTING.test(routing) ? {} : { bankRouting: 'must be nine digits' }),
    ...(ACCOUNT.test(account) ? {} : { bankAccount: 'must be 4 to 17 digits' }),
  }
  if (Object.keys(faults).length > 0) return { kind: 'faults', faults }
  return {
    kind: 'known',
    approves: routing === APPROVED_BANK.routing && account === APPROVED_BANK.account,
    lastFour: account.slice(-4),
    cardType: null,
  }
}

function cvvFault(cvv: string | undefined): string | undefined {
  return cvv === undefined || /^\d{3,4}$/.test(cvv) ? undefined : 'must be three or four digits'
}

function faultOf(field: keyof Instrument, fault: string | undefined): Faults {
  return fault === undefined ? {} : { [field]: fault }
}
