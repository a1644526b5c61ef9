// The texts of letters and text messages, in French. A thin no-break space, \u202f, stands before
// : ; ! ? and inside quotation marks.

import { capitalized } from '../../core/sentence.ts'
import { sentences } from '../shown.ts'
import type { LetterTexts } from './letter-en.ts'
import { partOf, refundedPart } from './letter-parts.ts'

const GOES_AWAY = 'Si une banque l’affiche encore comme en attente, cela disparaîtra tout seul.'

const TAKES_DAYS = 'Il peut s’écouler quelques jours avant que la banque ne l’affiche.'

export const LETTER_FR: LetterTexts = {
  means: {
    card: 'Carte',
    bank: 'Compte bancaire',
    cash: 'Espèces',
    check: 'Chèque',
    ending: (kind, lastFour) => `${kind} se terminant par\u00a0${lastFour}`,
    yours: 'votre moyen de paiement',
    yourCard: 'votre carte',
    byCash: { by: ' en espèces', from: '', to: ' en espèces', on: '' },
    byCheck: { by: ' par chèque', from: '', to: ' par chèque', on: '' },
    byCard: (name) => ({
      by: ` avec ${name}`,
      from: ` (${name})`,
      to: ` sur ${name}`,
      on: ` (${name})`,
    }),
  },
  details: {
    subtotal: 'Sous-total',
    tax: 'Taxes',
    shipping: 'Livraison',
    poNumber: 'Bon de commande',
    reference: 'Référence',
    memo: 'Note',
  },
  layout: {
    item: 'Article',
    amount: 'Montant',
    optOut: 'Ne plus recevoir de factures programmées par e-mail',
    orOpen: 'Ou ouvrez cette adresse\u202f:',
    labelled: (label) => `${label}\u202f:`,
    about: (title, amount) => `${title}\u202f: ${amount}.`,
    test: '[Test]',
    noMoneyMoved: 'Ceci est un test\u202f: aucun argent n’a circulé.',
    noMoneyMoves: 'Ceci est un test\u202f: aucun argent ne circule, quoi qu’il soit payé.',
    nameless: 'Reçus',
    seller: 'le vendeur',
    answerReaches: (name) =>
      `Des questions\u202f? Répondez à cet e-mail\u202f: votre réponse parvient à ${name}.`,
    askSeller: (name) => `Des questions\u202f? ${capitalized(name)} y répondra volontiers.`,
    shortTest: 'TEST, aucun argent ne circule.',
    shortNameless: 'Reçu',
    referenced: (reference) => `Réf ${reference}`,
  },
  labels: {
    date: 'Date',
    paidWith: 'Payé avec',
    refundedTo: 'Remboursé sur',
    creditedTo: 'Crédité sur',
    method: 'Moyen',
    original: 'Origine',
    originalOn: (amount, date) => `${amount} du ${date}`,
    taken: 'Débité',
    refunded: 'Remboursé',
    customer: 'Client',
    message: 'Message',
    receiptNumber: 'Reçu nº',
    authorization: 'Autorisation',
    transaction: (id) => `Transaction ${id}`,
    total: 'Total',
    paidSoFar: 'Déjà payé',
    leftToPay: 'Reste à payer',
    pay: (amount) => `Payer ${amount}`,
    invoiceNumber: 'Facture nº',
    invoice: (id) => `Facture ${id}`,
    issued: 'Émise le',
    due: 'Échéance',
    paid: 'Payée le',
    nextTry: 'Prochain essai',
    billedTo: 'Facturée à',
  },
  nouns: {
    payment: { name: 'paiement', the: 'le paiement', of: 'du paiement' },
    authorization: { name: 'autorisation', the: 'l’autorisation', of: 'de l’autorisation' },
    cancellation: { name: 'annulation', the: 'l’annulation', of: 'de l’annulation' },
    refund: { name: 'remboursement', the: 'le remboursement', of: 'du remboursement' },
    credit: { name: 'crédit', the: 'le crédit', of: 'du crédit' },
  },
  origin: ({ the, of }, amount, date) => ({
    the: `${the} de ${amount} du ${date}`,
    of: `${of} de ${amount} du ${date}`,
  }),
  transaction: {
    received: (p) => ({
      title: 'Paiement reçu',
      subject: `Reçu de ${p.amount} ·`,
      lead: p.refunded
        ? `Payé le ${p.date}${p.means.by}. Depuis, ${p.refunded} ont été remboursés.`
        : `Payé le ${p.date}${p.means.by}. Merci.`,
      short: p.refunded
        ? `${p.amount} payé le ${p.day}${p.shortMeans.by}, remboursé ${p.refunded}.`
        : `${p.amount} payé le ${p.day}${p.shortMeans.by}. Merci.`,
    }),
    canceled: (p) => ({
      title: 'Paiement annulé',
      subject: `Annulé\u202f: paiement de ${p.amount} ·`,
      lead: sentences(
        `Annulation ${p.origin?.of ?? 'de ce paiement'}\u202f: rien n’est débité${p.means.from}.`,
        GOES_AWAY,
      ),
      short: `paiement de ${p.amount} annulé le ${p.day}, rien n’est débité${p.shortMeans.from}.`,
    }),
    returned: (p) => ({
      title: 'Paiement repris par la banque',
      subject: `Repris par la banque\u202f: paiement de ${p.amount} ·`,
      lead: sentences(
        `Payé le ${p.date}${p.means.by}.`,
        `Depuis, votre banque a repris ${p.takenBack} de ce paiement.`,
        'Si cela vous étonne, demandez à la banque ou à nous.',
      ),
      short: `votre banque a repris ${p.takenBack} sur ${p.amount} du ${p.day}.`,
    }),
    authorized: (p) => ({
      title: 'Paiement autorisé',
      subject: `Autorisation de ${p.amount} ·`,
      lead: p.captured
        ? `${p.amount} ont été réservés${p.means.on}\u202f; depuis, ${p.captured} ont été débités.`
        : sentences(
            `${p.amount} sont réservés${p.means.on}.`,
            'Rien n’a encore été débité\u202f: ceci n’est pas un reçu de paiement.',
          ),
      short: p.captured
        ? `${p.amount} réservé le ${p.day}${p.shortMeans.on}, débité ${p.captured}.`
        : `${p.amount} réservé le ${p.day}${p.shortMeans.on}, rien débité.`,
    }),
    released: (p) => ({
      title: 'Autorisation annulée',
      subject: `Annulée\u202f: autorisation de ${p.amount} ·`,
      lead: sentences(
        `Annulation ${p.origin?.of ?? 'de cette autorisation'}\u202f: rien n’est`,
        `débité${p.means.from}.`,
        GOES_AWAY,
      ),
      short: `autorisation de ${p.amount} annulée le ${p.day}, rien n’est débité${p.shortMeans.from}.`,
    }),
    refunded: (p) => ({
      title: 'Remboursement',
      subject: `Remboursement de ${p.amount} ·`,
      lead: sentences(`Remboursé${p.means.to}\u202f: ${refundedPart(p)}.`, TAKES_DAYS),
      short: `${partOf(p, 'sur')} remboursé le ${p.day}${p.shortMeans.to}.`,
    }),
    credited: (p) => ({
      title: 'Crédit',
      subject: `Crédit de ${p.amount} ·`,
      lead: sentences(`Crédité le ${p.date}${p.means.to}.`, TAKES_DAYS),
      short: `${p.amount} crédité le ${p.day}${p.shortMeans.to}.`,
    }),
    'failed later': (p) => ({
      title: 'Échec du remboursement',
      subject: `Échec du remboursement de ${p.amount} ·`,
      lead: sentences(
        `Le remboursement${p.means.to} a échoué\u202f: ${refundedPart(p)}.`,
        'Demandez-nous comment le recevoir.',
      ),
      short: sentences(
        `échec du remboursement de ${partOf(p, 'sur')} du ${p.day}${p.shortMeans.to}.`,
        `Demandez-nous.`,
      ),
    }),
    failed: (p) => ({
      title: `Échec ${p.noun.of}`,
      subject: `Échec ${p.noun.of} de ${p.amount} ·`,
      lead: p.isTaking
        ? `L’opération n’a pas abouti et rien n’a été débité${p.means.from}.`
        : 'L’opération n’a pas abouti.',
      short: sentences(
        `échec ${p.noun.of} de ${p.amount} du ${p.day}.`,
        p.isTaking ? `Rien n’a été débité${p.shortMeans.from}.` : undefined,
      ),
    }),
    'under way': (p) => ({
      title: `${capitalized(p.noun.name)} en cours`,
      subject: `En cours\u202f: ${p.noun.name} de ${p.amount} ·`,
      lead: 'Le résultat n’est pas encore connu. Vous n’avez rien à faire.',
      short: `${p.noun.name} de ${p.amount} du ${p.day} toujours en cours.`,
    }),
  },
  bill: {
    'to pay': ({ amount, due, shortDue }) => ({
      title: 'Facture',
      subject: due ? `Facture de ${amount}, échéance le ${due} ·` : `Facture de ${amount} ·`,
      lead: due
        ? `À payer au plus tard le ${due}.`
        : 'Vous pouvez payer cette facture dès maintenant.',
      short: shortDue
        ? `facture de ${amount}, échéance ${shortDue}. Payer\u202f:`
        : `facture de ${amount}. Payer\u202f:`,
    }),
    failed: ({ amount, means, shortMeans, retryOn }) => ({
      title: 'Un paiement n’a pas abouti',
      subject: `Le paiement de ${amount} n’a pas abouti ·`,
      lead: sentences(
        `Nous avons tenté de prélever ce paiement (${means}), mais il n’a pas abouti.`,
        'Rien n’a été débité. Cela arrive et se règle vite\u202f: veuillez payer autrement.',
        retryOn && `Sinon, nous réessaierons le ${retryOn}.`,
      ),
      short: `échec du paiement de ${amount} (${shortMeans}). Payer autrement\u202f:`,
    }),
    'under way': ({ amount }) => ({
      title: 'Paiement en cours',
      subject: `Paiement de ${amount} en cours ·`,
      lead: 'Cette facture est en cours de paiement. Vous n’avez rien à faire.',
      short: `paiement de ${amount} en cours.`,
    }),
    paid: ({ amount, paidOn }) => ({
      title: 'Facture payée',
      subject: `Payée\u202f: facture de ${amount} ·`,
      lead: sentences(
        paidOn ? `Payée le ${paidOn}.` : 'Cette facture est payée.',
        'Il ne reste rien à payer. Merci.',
      ),
      short: `facture de ${amount} payée. Merci.`,
    }),
    returned: ({ amount, takenBack }) => ({
      title: 'Paiement repris par la banque',
      subject: `Paiement repris par la banque\u202f: facture de ${amount} ·`,
      lead: sentences(
        `Cette facture a été payée, mais la banque a repris ${takenBack} de ce paiement depuis.`,
        'Veuillez nous demander comment la payer.',
      ),
      short: `la banque a repris ${takenBack} sur ${amount}.`,
    }),
  },
}
