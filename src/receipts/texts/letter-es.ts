// The texts of letters in Spanish.

import type { LetterTexts } from './letter-en.ts'

export const LETTER_ES: LetterTexts = {
  means: {
    card: 'Tarjeta',
    bank: 'Cuenta bancaria',
    cash: 'Efectivo',
    check: 'Cheque',
    ending: (kind, lastFour) => `${kind} terminada en ${lastFour}`,
  },
  details: {
    subtotal: 'Subtotal',
    tax: 'Impuestos',
    shipping: 'Envío',
    poNumber: 'Orden de compra',
    reference: 'Referencia',
    memo: 'Nota',
  },
}
