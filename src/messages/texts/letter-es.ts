// The texts of letters and text messages, in Spanish.

import { capitalized } from '../../core/sentence.ts'
import { sentences } from '../shown.ts'
import type { LetterTexts } from './letter-en.ts'
import { partOf, refundedPart } from './letter-parts.ts'

const GOES_AWAY = 'Si un banco aún lo muestra como pendiente, desaparecerá por sí solo.'

const TAKES_DAYS = 'El banco puede tardar unos días en mostrarlo.'

export const LETTER_ES: LetterTexts = {
  means: {
    card: 'Tarjeta',
    bank: 'Cuenta bancaria',
    cash: 'Efectivo',
    check: 'Cheque',
    ending: (kind, lastFour) => `${kind} terminada en\u00a0${lastFour}`,
    yours: 'su método de pago',
    yourCard: 'su tarjeta',
    byCash: { by: ' en efectivo', from: '', to: ' en efectivo', on: '' },
    byCheck: { by: ' con cheque', from: '', to: ' con cheque', on: '' },
    byCard: (name) => ({
      by: ` con ${name}`,
      from: ` (${name})`,
      to: ` a ${name}`,
      on: ` (${name})`,
    }),
  },
  details: {
    subtotal: 'Subtotal',
    tax: 'Impuestos',
    shipping: 'Envío',
    poNumber: 'Orden de compra',
    reference: 'Referencia',
    memo: 'Nota',
  },
  layout: {
    item: 'Artículo',
    amount: 'Importe',
    optOut: 'Dejar de recibir facturas programadas por correo',
    orOpen: 'O abra esta dirección:',
    labelled: (label) => `${label}:`,
    about: (title, amount) => `${title}: ${amount}.`,
    test: '[Prueba]',
    noMoneyMoved: 'Esto es una prueba: no se ha movido dinero.',
    noMoneyMoves: 'Esto es una prueba: no se mueve dinero, se pague lo que se pague.',
    nameless: 'Recibos',
    seller: 'el vendedor',
    answerReaches: (name) => `¿Preguntas? Responda a este correo: le llega a ${name}.`,
    askSeller: (name) => `¿Preguntas? ${capitalized(name)} las responderá con gusto.`,
    shortTest: 'PRUEBA, no se mueve dinero.',
    shortNameless: 'Recibo',
    referenced: (reference) => `Ref ${reference}`,
  },
  labels: {
    date: 'Fecha',
    paidWith: 'Pagado con',
    refundedTo: 'Reembolsado a',
    creditedTo: 'Abonado a',
    method: 'Método',
    original: 'Original',
    originalOn: (amount, date) => `${amount} del ${date}`,
    taken: 'Cobrado',
    refunded: 'Reembolsado',
    customer: 'Cliente',
    message: 'Mensaje',
    receiptNumber: 'Recibo n.º',
    authorization: 'Autorización',
    transaction: (id) => `Transacción ${id}`,
    total: 'Total',
    paidSoFar: 'Pagado hasta ahora',
    leftToPay: 'Queda por pagar',
    pay: (amount) => `Pagar ${amount}`,
    invoiceNumber: 'Factura n.º',
    invoice: (id) => `Factura ${id}`,
    issued: 'Emitida',
    due: 'Vence',
    paid: 'Pagada',
    nextTry: 'Próximo intento',
    billedTo: 'Facturada a',
  },
  nouns: {
    payment: { name: 'pago', the: 'el pago', of: 'del pago' },
    authorization: { name: 'autorización', the: 'la autorización', of: 'de la autorización' },
    cancellation: { name: 'cancelación', the: 'la cancelación', of: 'de la cancelación' },
    refund: { name: 'reembolso', the: 'el reembolso', of: 'del reembolso' },
    credit: { name: 'abono', the: 'el abono', of: 'del abono' },
  },
  origin: ({ the, of }, amount, date) => ({
    the: `${the} de ${amount} del ${date}`,
    of: `${of} de ${amount} del ${date}`,
  }),
  transaction: {
    received: (p) => ({
      title: 'Pago recibido',
      subject: `Recibo de ${p.amount} de`,
      lead: p.refunded
        ? `Pagado el ${p.date}${p.means.by}. Desde entonces se han reembolsado ${p.refunded}.`
        : `Pagado el ${p.date}${p.means.by}. Gracias.`,
      short: p.refunded
        ? `${p.amount} pagado el ${p.day}${p.shortMeans.by}, reembolsado ${p.refunded}.`
        : `${p.amount} pagado el ${p.day}${p.shortMeans.by}. Gracias.`,
    }),
    canceled: (p) => ({
      title: 'Pago cancelado',
      subject: `Cancelado: pago de ${p.amount} a`,
      lead: sentences(
        `${capitalized(p.origin?.the ?? 'este pago')} se canceló y no se cobra`,
        `nada${p.means.from}.`,
        GOES_AWAY,
      ),
      short: `pago de ${p.amount} cancelado el ${p.day}, no se cobra nada${p.shortMeans.from}.`,
    }),
    returned: (p) => ({
      title: 'Pago devuelto',
      subject: `Devuelto: pago de ${p.amount} a`,
      lead: sentences(
        `Pagado el ${p.date}${p.means.by}.`,
        `Desde entonces, su banco ha recuperado ${p.takenBack} de este pago.`,
        'Si no lo esperaba, pregunte al banco o a nosotros.',
      ),
      short: `su banco ha recuperado ${p.takenBack} de ${p.amount} del ${p.day}.`,
    }),
    authorized: (p) => ({
      title: 'Pago autorizado',
      subject: `Autorización de ${p.amount} para`,
      lead: p.captured
        ? `Se reservaron ${p.amount}${p.means.on} y desde entonces se han cobrado ${p.captured}.`
        : sentences(
            `Se reservan ${p.amount}${p.means.on}.`,
            'Aún no se ha cobrado nada: esto no es un recibo de pago.',
          ),
      short: p.captured
        ? `${p.amount} reservado el ${p.day}${p.shortMeans.on}, cobrado ${p.captured}.`
        : `${p.amount} reservado el ${p.day}${p.shortMeans.on}, nada cobrado.`,
    }),
    released: (p) => ({
      title: 'Autorización cancelada',
      subject: `Cancelada: autorización de ${p.amount} para`,
      lead: sentences(
        `${capitalized(p.origin?.the ?? 'esta autorización')} se canceló y no se cobra`,
        `nada${p.means.from}.`,
        GOES_AWAY,
      ),
      short: `autorización de ${p.amount} cancelada el ${p.day}, no se cobra nada${p.shortMeans.from}.`,
    }),
    refunded: (p) => ({
      title: 'Reembolso',
      subject: `Reembolso de ${p.amount} de`,
      lead: sentences(`Se devuelve${p.means.to}: ${refundedPart(p)}.`, TAKES_DAYS),
      short: `${partOf(p, 'de')} reembolsado el ${p.day}${p.shortMeans.to}.`,
    }),
    credited: (p) => ({
      title: 'Abono',
      subject: `Abono de ${p.amount} de`,
      lead: sentences(`Abonado el ${p.date}${p.means.to}.`, TAKES_DAYS),
      short: `${p.amount} abonado el ${p.day}${p.shortMeans.to}.`,
    }),
    'failed later': (p) => ({
      title: 'Reembolso fallido',
      subject: `Fallido: reembolso de ${p.amount} de`,
      lead: sentences(
        `No se pudo devolver${p.means.to}: ${refundedPart(p)}.`,
        'Por favor, pregúntenos cómo recibirlo.',
      ),
      short: `falló el reembolso de ${partOf(p, 'de')} del ${p.day}${p.shortMeans.to}. Pregúntenos.`,
    }),
    failed: (p) => ({
      title: `${capitalized(p.noun.name)} sin realizar`,
      subject: `Sin realizar: ${p.noun.name} de ${p.amount},`,
      lead: p.isTaking
        ? `No se pudo completar y no se cobró nada${p.means.from}.`
        : 'No se pudo completar.',
      short: sentences(
        `${p.noun.name} de ${p.amount} del ${p.day}: no se pudo completar.`,
        p.isTaking ? `No se cobró nada${p.shortMeans.from}.` : undefined,
      ),
    }),
    'under way': (p) => ({
      title: `${capitalized(p.noun.name)} en curso`,
      subject: `En curso: ${p.noun.name} de ${p.amount},`,
      lead: 'Aún no se conoce el resultado. No tiene que hacer nada.',
      short: `${p.noun.name} de ${p.amount} del ${p.day} sigue en curso.`,
    }),
  },
  bill: {
    'to pay': ({ amount, due, shortDue }) => ({
      title: 'Factura',
      subject: due ? `Factura de ${amount}, vence el ${due}, de` : `Factura de ${amount} de`,
      lead: due
        ? `Por favor, pague a más tardar el ${due}.`
        : 'Esta factura está lista para que la pague.',
      short: shortDue
        ? `factura de ${amount}, vence el ${shortDue}. Pague:`
        : `factura de ${amount}. Pague:`,
    }),
    failed: ({ amount, means, shortMeans, retryOn }) => ({
      title: 'Un pago no se pudo completar',
      subject: `El pago de ${amount} no se pudo completar:`,
      lead: sentences(
        `Intentamos cobrar este pago (${means}), pero no se pudo completar.`,
        'No se cobró nada. Suele pasar y se arregla pronto: por favor, pague de otra manera.',
        retryOn && `De lo contrario, lo intentaremos de nuevo el ${retryOn}.`,
      ),
      short: `pago de ${amount} (${shortMeans}) fallido. Pague de otra manera:`,
    }),
    'under way': ({ amount }) => ({
      title: 'Pago en curso',
      subject: `Pago de ${amount} en curso:`,
      lead: 'Esta factura se está pagando. No tiene que hacer nada.',
      short: `pago de ${amount} en curso.`,
    }),
    paid: ({ amount, paidOn }) => ({
      title: 'Factura pagada',
      subject: `Pagada: factura de ${amount} de`,
      lead: sentences(
        paidOn ? `Pagada el ${paidOn}.` : 'Esta factura está pagada.',
        'No queda nada por pagar. Gracias.',
      ),
      short: `factura de ${amount} pagada. Gracias.`,
    }),
    returned: ({ amount, takenBack }) => ({
      title: 'Pago devuelto',
      subject: `Pago devuelto: factura de ${amount} de`,
      lead: sentences(
        `Esta factura se pagó, pero desde entonces el banco ha recuperado ${takenBack} de ese pago.`,
        'Por favor, pregúntenos cómo pagarla.',
      ),
      short: `el banco ha recuperado ${takenBack} de ${amount}.`,
    }),
  },
}
