// Tokens for tests, as gateways publish them: each stands for one of the sandbox's cards or bank
// accounts, so that a client which has only tokens can be tried without numbers.

import type { Instrument } from '../port.ts'

/** Far enough ahead for every test, and a sandbox clock of some years. */
const CARD_EXP = '1299'

const CARDS = {
  visa: ['4111111111111111', '4012888888881881'],
  mastercard: ['5555555555554444', '5105105105105100'],
  amex: ['378282246310005', '371449635398431'],
  discover: ['6011111111111117', '6011000990139424'],
} as const

const ROUTING = '021000021'
const BANK = ['9876543210', '1234567890'] as const

export interface TestInstrument {
  readonly method: 'card' | 'bank'
  readonly instrument: Instrument
}

/** `tok_sandbox_visa_approve` and the like, by their names. */
export const TEST_TOKENS: ReadonlyMap<string, TestInstrument> = new Map([
  ...Object.entries(CARDS).flatMap(([brand, numbers]) =>
    approvedAndDeclined(brand, 'card', numbers, (cardNumber) => ({
      cardNumber,
      cardExp: CARD_EXP,
    })),
  ),
  ...approvedAndDeclined('bank', 'bank', BANK, (bankAccount) => ({
    bankAccount,
    bankRouting: ROUTING,
  })),
])

function approvedAndDeclined(
  name: string,
  method: TestInstrument['method'],
  [approved, declined]: readonly [string, string],
  instrumentOf: (number: string) => Instrument,
): readonly (readonly [string, TestInstrument])[] {
  return [
    [`tok_sandbox_${name}_approve`, { method, instrument: instrumentOf(approved) }],
    [`tok_sandbox_${name}_decline`, { method, instrument: instrumentOf(declined) }],
  ]
}
