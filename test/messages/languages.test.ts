// E-mails and text messages in the language of their account: no word of another language, and one
// segment for a text message if possible.

import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../src/core/language.ts'
import { extentOf, SEGMENT_UNITS } from '../../src/messages/gsm7.ts'
import { letterHtml } from '../../src/messages/html-of.ts'
import { invoiceLetter } from '../../src/messages/invoice-letter.ts'
import { billWordsOf } from '../../src/messages/invoice-words.ts'
import type { Letter } from '../../src/messages/letter.ts'
import { plainOf } from '../../src/messages/plain-of.ts'
import type { BillStory } from '../../src/messages/read-invoice.ts'
import { shortText } from '../../src/messages/sms-channel.ts'
import { LETTER_TEXTS } from '../../src/messages/texts/letter-texts.ts'
import { transactionLetter } from '../../src/messages/transaction-letter.ts'
import { transactionWords } from '../../src/messages/transaction-words.ts'
import { webhookLetter } from '../../src/messages/webhook-letter.ts'
import {
  PARENT,
  SALE,
  sampleInvoice,
  sampleTransaction,
  sampleWebhook,
} from '../support/letter-samples.ts'
import { strangersOn } from '../support/texts.ts'

const BILL = 'https://pay.example.com/bill/8d7e3a2b1c0d9e8f5b1f0c9be2a94c6f'
const NOW = new Date('2026-03-07T20:04:00.000Z')

const OTHERS = LANGUAGES.filter((language) => language !== 'en')

const lookIn = (language: Language) => ({ look: { ...sampleInvoice().look, language } })

/** Every transaction that an e-mail can be about. */
function transactionsIn(language: Language, mode: 'live' | 'sandbox' = 'sandbox') {
  const types = ['charge', 'pre_auth', 'capture', 'refund', 'void', 'credit'] as const
  return types.flatMap((type) =>
    (['card', 'bank', 'cash', 'check'] as const).flatMap((method) =>
      (['SUCCESS', 'PENDING', 'FAILED'] as const).flatMap((status) =>
        [false, true].flatMap((isMore) =>
          [0n, 250n].map((takenBack) =>
            sampleTransaction(
              {
                type,
                method,
                status,
                message: null,
                isVoided: isMore,
                ...(isMore ? { captured: 500n, refunded: 500n, meta: SALE } : { captured: 0n }),
              },
              {
                mode,
                takenBack,
                failedLater: takenBack > 0n && (type === 'refund' || type === 'void'),
                ...lookIn(language),
                ...(isMore ? { parent: PARENT } : {}),
              },
            ),
          ),
        ),
      ),
    ),
  )
}

const STORIES: readonly BillStory[] = ['to pay', 'failed', 'under way', 'paid', 'returned']

function billsIn(language: Language, mode: 'live' | 'sandbox' = 'sandbox') {
  return STORIES.flatMap((story) =>
    [null, NOW].map((at) => {
      const bill = {
        payBy: at,
        paidAt: at,
        retryAt: at,
        ...(at && { totalPaid: 100n, meta: SALE }),
      }
      const { paymentMethod } = sampleTransaction().transaction
      const context = { mode, ...lookIn(language), ...(at && { paymentMethod }) }
      return { story, sample: sampleInvoice(bill, context) }
    }),
  )
}

function lettersIn(language: Language): readonly Letter[] {
  return [
    ...transactionsIn(language).map(transactionLetter),
    ...billsIn(language).map(({ sample, story }) => invoiceLetter(sample, story, BILL)),
  ]
}

function shortTextsIn(language: Language): readonly string[] {
  return [
    ...transactionsIn(language, 'live').map((sample) =>
      shortText(sample, transactionWords(sample).short),
    ),
    ...billsIn(language, 'live').map(({ sample, story }) => {
      const { short } = billWordsOf(sample, story)
      return shortText(
        sample,
        story === 'to pay' || story === 'failed' ? `${short} ${BILL}` : short,
      )
    }),
  ]
}

/** Names, and the words of merchants, belong to no language. */
const strangersIn = (text: string, language: Language) =>
  strangersOn(text, LETTER_TEXTS[language], LETTER_TEXTS.en)

let english: readonly string[]
beforeAll(async () => {
  english = await Promise.all(lettersIn('en').map(letterHtml))
})

describe.each(OTHERS)('in %s', (language) => {
  it('no e-mail has an English word, in its subject, as HTML and as text', async () => {
    for (const letter of lettersIn(language)) {
      const html = await letterHtml(letter)
      expect(html).toContain(`lang="${language}"`)
      const all = [html, letter.subject, plainOf(letter).replaceAll('\n', '<br>')]
      expect(all.flatMap((text) => strangersIn(text, language))).toEqual([])
    }
  })

  it('each e-mail would have some if it were in English', () => {
    for (const html of english) expect(strangersIn(html, language).length).toBeGreaterThan(2)
  })

  it('e-mails differ wherever the English ones do', () => {
    const leads = (of: Language) => new Set(lettersIn(of).map(({ title, lead }) => title + lead))
    const [own, english] = [leads(language).size, leads('en').size]
    expect(own).toBeGreaterThanOrEqual(english - 2)
  })

  it('text messages use the GSM alphabet, most have one segment, and none has three', () => {
    const extents = shortTextsIn(language).map(extentOf)
    expect(extents.filter(({ encoding }) => encoding !== 'GSM-7')).toEqual([])
    // Seven of a segment's units join it to the others.
    expect(extents.filter(({ units }) => units > 2 * (SEGMENT_UNITS['GSM-7'] - 7))).toEqual([])
    const single = extents.filter(({ units }) => units <= SEGMENT_UNITS['GSM-7'])
    expect(single.length / extents.length).toBeGreaterThan(0.9)
  })

  it('the e-mail to the team about its endpoint stays English, like the API', () => {
    const sample = { ...sampleWebhook(), ...lookIn(language) }
    expect(webhookLetter(sample, NOW)).toEqual(webhookLetter(sampleWebhook(), NOW))
  })
})

describe('an e-mail', () => {
  it.each([
    ['es', 'Pago recibido', 'Pagado el 7 mar 2026 con Visa terminada en\u00a01111. Gracias.'],
    ['fr', 'Paiement reçu', 'Payé le 7 mars 2026 avec Visa se terminant par\u00a01111. Merci.'],
  ] as const)('in %s reads as people write', (language, title, lead) => {
    const letter = transactionLetter(sampleTransaction({}, lookIn(language)))
    expect(letter).toMatchObject({ language, title, lead })
  })

  it('in French has amounts and signs in the French form', () => {
    const sample = sampleInvoice({}, lookIn('fr'))
    const letter = invoiceLetter(sample, 'to pay', BILL)
    expect(letter.amount).toBe('212,40\u00a0$US')
    expect(letter.subject).toBe(
      'Facture de 212,40 $US, échéance le 21 mars 2026 · Wick & Ember Lighting',
    )
    expect(plainOf(letter)).toContain(`Payer 212,40\u00a0$US\u202f:\n${BILL}`)
  })

  it('without a language is in English', () => {
    expect(DEFAULT_LANGUAGE).toBe('en')
  })
})
