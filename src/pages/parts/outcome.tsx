// The outcome of a payment, as its row has it now.

import type { ComponentChildren } from 'preact'
import type { Mode } from '../../accounts/key.ts'
import { maskedAddress } from '../../core/mail-address.ts'
import { referenceOf } from '../../core/reference.ts'
import { localMoneyText } from '../../messages/local-formats.ts'
import { meansText } from '../../messages/people.ts'
import { isolatedLine, sentences } from '../../messages/shown.ts'
import { type PagePayment, paymentStateOf } from '../page-payment.ts'
import type { HostedPage } from '../page-tokens.ts'
import type { Payee } from '../payee.ts'
import type { Texts } from '../texts/en.ts'
import { pathFor, usePageViewer, type Viewer } from '../viewer.ts'
import { PayPage } from './pay-page.tsx'
import { DetailList, LargeAmount, Moment, Money, PrintButton } from './shown.tsx'

interface OutcomeProps {
  readonly payee: Payee
  readonly payment: PagePayment
  /** The page on which to try again. */
  readonly again: string
  /** The path of this payment's own page. */
  readonly path: string
  readonly subject: string
  /** Given while the payer's bank may ask the payer something. */
  readonly hosted: HostedPage | undefined
  readonly isTestMode: boolean
  /** The result of the receipt request that led here. */
  readonly receipt: 'sent' | 'refused' | undefined
  /** Describes what the payment was for. */
  readonly children?: ComponentChildren
}

export function OutcomePage(props: OutcomeProps) {
  const { payee, payment, subject, hosted, isTestMode } = props
  const { texts, locale } = usePageViewer()
  const state = paymentStateOf(payment)
  const amount = localMoneyText(payment.total, payment.currency, locale)
  const { outcome } = texts
  const [title, mark] = [outcome[state], MARKS[state]]
  return (
    <PayPage
      title={outcome.titleWithAmount(title, amount)}
      payee={payee}
      state={state === 'processing' ? 'processing' : 'final'}
      subject={subject}
      hosted={hosted}
      isTestMode={isTestMode}
    >
      <div class={`stack outcome ${mark}`}>
        <Mark kind={mark} />
        <h1>{title}</h1>
        <LargeAmount cents={payment.total} currency={payment.currency} />
        {props.children}
        <Lead {...props} />
      </div>
    </PayPage>
  )
}

const MARKS = {
  processing: 'wait',
  approved: 'good',
  canceled: 'quiet',
  returned: 'quiet',
  declined: 'bad',
} as const

function Lead(props: OutcomeProps) {
  const { payee, payment } = props
  const { texts, letterTexts } = usePageViewer()
  const { outcome } = texts
  const means = meansText(payment, letterTexts)
  switch (paymentStateOf(payment)) {
    case 'processing':
      return (
        <>
          {props.hosted === undefined ? null : <BankQuestion />}
          <Processing takesDays={payee.mode === 'live' && payment.method === 'bank'} />
        </>
      )
    case 'approved':
      return (
        <>
          <p>
            {outcome.thanks} {refundedText(payment, texts)}
          </p>
          <PaymentFacts payment={payment} />
          <ReceiptOf {...props} />
          <PrintButton />
        </>
      )
    case 'canceled':
      return <p>{outcome.canceledLead(means)}</p>
    case 'returned':
      return (
        <>
          <p>
            {outcome.returnedLead(
              <Money key="back" currency={payment.currency} cents={payment.takenBack} />,
            )}
          </p>
          <PaymentFacts payment={payment} />
        </>
      )
    case 'declined':
      return (
        <>
          <p>{outcome.declinedLead(means)}</p>
          <p>{kindReason(payment, payee.mode, texts)}</p>
          <a class="button" href={props.again}>
            {outcome.tryAgain}
          </a>
        </>
      )
  }
}

/** Null if nothing was refunded. */
export function refundedText(
  { refunded, total }: Pick<PagePayment, 'refunded' | 'total'>,
  { outcome }: Viewer['texts'],
): string | null {
  if (refunded === 0n) return null
  return refunded < total ? outcome.refundedSince : outcome.allRefundedSince
}

/** The script shows it when the payer has left the bank's question without an answer. */
function BankQuestion() {
  const { outcome } = usePageViewer().texts
  return (
    <div class="stack" id="asked" hidden>
      <p class="fault" id="said" role="alert" />
      <button type="button" id="confirm">
        {outcome.confirm}
      </button>
    </div>
  )
}

/** Shown while the payment has no outcome yet. */
export function Processing({ takesDays }: { takesDays: boolean }) {
  const { outcome } = usePageViewer().texts
  if (takesDays) return <ProcessingForDays />
  return (
    <div class="stack" id="waiting" aria-live="polite">
      {/* The script shows it alone while the bank asks. */}
      <p id="asking" hidden>
        {outcome.askedNow}
      </p>
      <p>{outcome.noAnswerYet}</p>
      <p>
        <strong>{outcome.payOnce}</strong> {outcome.waitHere}
      </p>
    </div>
  )
}

function ProcessingForDays() {
  const { outcome } = usePageViewer().texts
  return (
    <div class="stack" aria-live="polite">
      <p>{outcome.takesDays}</p>
      <p>
        <strong>{outcome.payOnce}</strong> {outcome.comeBack}
      </p>
    </div>
  )
}

function PaymentFacts({ payment }: Pick<OutcomeProps, 'payment'>) {
  const { currency, refunded } = payment
  const { texts, letterTexts } = usePageViewer()
  const { outcome } = texts
  return (
    <DetailList
      of={[
        [outcome.paidWith, meansText(payment, letterTexts)],
        [outcome.date, <Moment key="at" at={payment.createdAt} />],
        ...(refunded > 0n
          ? [[outcome.refunded, <Money key="back" currency={currency} cents={refunded} />] as const]
          : []),
        [
          outcome.receiptNumber,
          <span key="no" class="number">
            {referenceOf(payment.id)}
          </span>,
        ],
      ]}
    />
  )
}

function ReceiptOf({ payment, path, receipt }: OutcomeProps) {
  const { texts } = usePageViewer()
  const { receiptTo, receiptEmailAt } = payment
  const isOnItsWay = receipt === 'sent' || receiptEmailAt !== null
  return (
    <div class="stack receipt">
      {isOnItsWay ? (
        <p role="status">
          {receiptTo === null || receipt === 'sent'
            ? texts.receipt.sent
            : texts.receipt.sentTo(<bdi key="to">{maskedAddress(receiptTo)}</bdi>)}
        </p>
      ) : null}
      {receipt === 'refused' ? (
        <p class="fault" role="alert">
          {texts.receipt.refused}
        </p>
      ) : null}
      <ReceiptForm path={path} isOnItsWay={isOnItsWay} />
    </div>
  )
}

type MarkKind = 'good' | 'bad' | 'wait' | 'quiet'

const SHAPES: Readonly<Record<MarkKind, string>> = {
  good: 'M15 25l7 7 12-14',
  bad: 'M17 17l14 14M31 17L17 31',
  wait: 'M24 14v11l7 4',
  quiet: 'M16 24h16',
}

export function Mark({ kind }: { kind: MarkKind }) {
  return (
    <svg class="mark" viewBox="0 0 48 48" width="56" height="56" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      <path d={SHAPES[kind]} />
    </svg>
  )
}

/** The codes of declines for which a payer can do something. */
const KIND_CODES = [
  'authentication_required',
  'bank_account_unusable',
  'canceled',
  'expired_card',
  'incorrect_card_data',
  'insufficient_funds',
  'request_refused',
] as const satisfies readonly (keyof Texts['declines'])[]

/**
 * Explains a failed payment from the gateway's message, and says what to try.
 */
function kindReason({ declineCode, message }: PagePayment, mode: Mode, texts: Texts): string {
  const { declines } = texts
  const reason = (message ?? '').replace(/\.$/, '')
  const known = KIND_CODES.find((code) => code === declineCode)
  if (known !== undefined) return declines[known]
  if (/link was deleted/i.test(reason)) return declines.deleted
  if (/deadline/i.test(reason)) return declines.late
  const isDeclined = reason === '' || /declin/i.test(reason)
  return sentences(
    isDeclined ? declines.byBank : declines.byGateway(isolatedLine(reason)),
    declines.advice,
    mode === 'sandbox' ? declines.sandbox : undefined,
  )
}

interface ReceiptFormProps {
  /** The path of the payment's page. */
  readonly path: string
  readonly isOnItsWay: boolean
}

/** The form that requests a receipt. It needs no script. */
function ReceiptForm({ path, isOnItsWay }: ReceiptFormProps) {
  const viewer = usePageViewer()
  const { receipt } = viewer.texts
  const form = (
    <form class="line" method="post" action={pathFor(viewer, `${path}/receipt`)}>
      <label htmlFor="receipt-email">{receipt.email}</label>
      <div class="row">
        <input
          id="receipt-email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={320}
          required
        />
        <button type="submit" class="plain">
          {receipt.send}
        </button>
      </div>
    </form>
  )
  if (!isOnItsWay) return form
  return (
    <details>
      <summary>{receipt.elsewhere}</summary>
      {form}
    </details>
  )
}
