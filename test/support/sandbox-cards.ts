// The cards and accounts of the sandbox gateway, as the documentation lists them.

export interface SandboxCard {
  readonly number: string
  readonly type: string
  readonly cvv: string
  readonly approves: boolean
}

/** The CVVs begin with a zero, unlike any number in a row or a log: one that leaks is found. */
export const SANDBOX_CARDS: readonly SandboxCard[] = [
  { number: '4111111111111111', type: 'visa', cvv: '031', approves: true },
  { number: '5555555555554444', type: 'mastercard', cvv: '042', approves: true },
  { number: '378282246310005', type: 'american-express', cvv: '0764', approves: true },
  { number: '6011111111111117', type: 'discover', cvv: '053', approves: true },
  { number: '4012888888881881', type: 'visa', cvv: '064', approves: false },
  { number: '5105105105105100', type: 'mastercard', cvv: '075', approves: false },
  { number: '371449635398431', type: 'american-express', cvv: '0875', approves: false },
  { number: '6011000990139424', type: 'discover', cvv: '086', approves: false },
  // Any other valid number is declined.
  { number: '4242424242424242', type: 'visa', cvv: '097', approves: false },
]

export const DECLINED_CARD = '4012888888881881'

export const CARD = {
  method: 'card',
  person_name: 'Ada Lovelace',
  card_number: '4111111111111111',
  card_cvv: '123',
  card_exp: '1239',
}

/** This bank account approves every charge. */
export const BANK = {
  method: 'bank',
  person_name: 'Ada Lovelace',
  bank_routing: '021000021',
  bank_account: '9876543210',
  bank_type: 'checking',
  bank_holder_type: 'personal',
}
