// What the sandbox gateway knows, as the documentation lists it.

export interface SandboxCard {
  readonly number: string
  readonly type: string
  readonly cvv: string
  readonly approves: boolean
}

export const SANDBOX_CARDS: readonly SandboxCard[] = [
  { number: '4111111111111111', type: 'visa', cvv: '321', approves: true },
  { number: '5555555555554444', type: 'mastercard', cvv: '432', approves: true },
  { number: '378282246310005', type: 'american-express', cvv: '7654', approves: true },
  { number: '6011111111111117', type: 'discover', cvv: '543', approves: true },
  { number: '4012888888881881', type: 'visa', cvv: '654', approves: false },
  { number: '5105105105105100', type: 'mastercard', cvv: '765', approves: false },
  { number: '371449635398431', type: 'american-express', cvv: '8765', approves: false },
  { number: '6011000990139424', type: 'discover', cvv: '876', approves: false },
  // Any other valid number.
  { number: '4242424242424242', type: 'visa', cvv: '987', approves: false },
]

export const CARD = {
  method: 'card',
  person_name: 'Ada Lovelace',
  card_number: '4111111111111111',
  card_cvv: '123',
  card_exp: '1239',
}

/** Approves every charge. */
export const BANK = {
  method: 'bank',
  person_name: 'Ada Lovelace',
  bank_routing: '021000021',
  bank_account: '9876543210',
  bank_type: 'checking',
  bank_holder_type: 'personal',
}
