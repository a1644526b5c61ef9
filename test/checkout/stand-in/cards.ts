// The cards of the stand-in, by their numbers. The sandbox of Checkout.com has other ones.

export interface CheckoutCard {
  readonly number: string
  readonly scheme: string
  readonly expiryMonth: number
  readonly expiryYear: number
  /** The response code of each payment. */
  readonly pays: string
  /** The response code of a verification, which is a payment of zero. */
  readonly verifies: string
}

const APPROVED = '10000'

interface Behaviour {
  readonly pays?: string
  readonly verifies?: string
}

const CARDS: Readonly<Record<string, Behaviour>> = {
  '4242424242424242': {},
  '5436031030606378': {},
  '4000000000000002': { pays: '20005' },
  '4000000000009995': { pays: '20051' },
  '4000000000000069': { pays: '20054' },
  '4000000000003220': { pays: '20154' },
  '4000000000009979': { pays: '30043' },
  '4000000000000101': { pays: '20005', verifies: '20005' },
}

export function cardOf(number: string, expiryMonth: number, expiryYear: number): CheckoutCard {
  const { pays = APPROVED, verifies = APPROVED } = CARDS[number] ?? {}
  const scheme = number.startsWith('5') ? 'Mastercard' : 'Visa'
  return { number, scheme, expiryMonth, expiryYear, pays, verifies }
}

/** In the sandbox of Checkout.com, too, the last digits of an amount cause a decline. */
const DECLINED_AMOUNTS: readonly string[] = ['05', '51', '54', '62']

export function responseTo(card: CheckoutCard, amount: number): string {
  if (amount === 0) return card.verifies
  const last = `${amount}`.slice(-2)
  return DECLINED_AMOUNTS.includes(last) ? `200${last}` : card.pays
}

const SUMMARIES: Readonly<Record<string, string>> = {
  10000: 'Approved',
  20005: 'Declined - Do Not Honour',
  20051: 'Insufficient Funds',
  20054: 'Expired Card',
  20062: 'Restricted Card',
  20154: '3DS authentication required',
  30043: 'Stolen Card - Pick Up',
}

export function summaryOf(code: string): string {
  return SUMMARIES[code] ?? 'Declined'
}
