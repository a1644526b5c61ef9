// The texts of letters in French. A thin no-break space, \u202f, stands before : ; ! ? and inside
// quotation marks.

import type { LetterTexts } from './letter-en.ts'

export const LETTER_FR: LetterTexts = {
  means: {
    card: 'Carte',
    bank: 'Compte bancaire',
    cash: 'Espèces',
    check: 'Chèque',
    ending: (kind, lastFour) => `${kind} se terminant par ${lastFour}`,
  },
  details: {
    subtotal: 'Sous-total',
    tax: 'Taxes',
    shipping: 'Livraison',
    poNumber: 'Bon de commande',
    reference: 'Référence',
    memo: 'Note',
  },
}
