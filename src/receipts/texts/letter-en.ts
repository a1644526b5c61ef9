// The texts of letters in English. Its type is the list of texts that each other language must
// have. Payers' pages use some of them too.

export const LETTER_EN = {
  /** The kinds of payment methods. */
  means: {
    card: 'Card',
    bank: 'Bank account',
    cash: 'Cash',
    check: 'Check',
    ending: (kind: string, lastFour: string) => `${kind} ending in ${lastFour}`,
  },
  /** The labels of details that merchants bring. */
  details: {
    subtotal: 'Subtotal',
    tax: 'Tax',
    shipping: 'Shipping',
    poNumber: 'PO number',
    reference: 'Reference',
    memo: 'Memo',
  },
}

export type LetterTexts = typeof LETTER_EN
