// The outcome of a payment, as its row has it now.

import type { ComponentChildren } from 'preact'
import type { Mode } from '../../accounts/key.ts'
import { referenceOf } from '../../core/reference.ts'
import { localMoneyText } from '../../receipts/local-formats.ts'
import { meansText } from '../../receipts/people.ts'
import { isolatedLine, sentences } from '../../receipts/shown.ts'
import { type PagePayment, paymentStateOf } from '../page-payment.ts'
import type { HostedPage } from '../page-tokens.ts'
import type { Payee } from '../payee.ts'
import { PayPage } from './pay-page.tsx'
import { DetailList, LargeAmount, Moment, Money, PrintButton, type Viewer } from './shown.tsx'

interface OutcomeProps {
  readonly payee: Payee
  readonly viewer: Viewer
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
  const { payee, payment, viewer, subject, hosted, isTestMode } = props
  const state = paymentStateOf(payment)
  const amount = localMoneyText(payment.total, payment.currency, viewer.locale)
  const { title, mark } = WORDS[state]
  return (
    <PayPage
      title={`${title}: ${amount}`}
      payee={payee}
      state={state === 'processing' ? 'processing' : 'final'}
      subject={subject}
      hosted={hosted}
      isTestMode={isTestMode}
    >
      <div class={`stack outcome ${mark}`}>
        <Mark kind={mark} />
        <h1>{title}</h1>
        <LargeAmount viewer={viewer} cents={payment.total} currency={payment.currency} />
        {props.children}
        <Lead {...props} />
      </div>
    </PayPage>
  )
}

const WORDS = {
  processing: { title: 'Payment in progress', mark: 'wait' },
  approved: { title: 'Paid', mark: 'good' },
  canceled: { title: 'Payment canceled', mark: 'quiet' },
  declined: { title: 'Your payment did not go through', mark: 'bad' },
} as const

function Lead(props: OutcomeProps) {
  const { payee, payment, viewer } = props
  const means = meansText(payment)
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
          <p>Thank you. {payment.refunded > 0n ? 'Part of it has been refunded since.' : null}</p>
          <PaymentFacts payment={payment} viewer={viewer} />
          <ReceiptOf {...props} />
          <PrintButton />
        </>
      )
    case 'canceled':
      return <p>This payment was canceled. Nothing is charged to your {means}.</p>
    case 'declined':
      return (
        <>
          <p>Nothing was charged to your {means}.</p>
          <p>{kindReason(payment, payee.mode)}</p>
          <a class="button" href={props.again}>
            Try again
          </a>
        </>
      )
  }
}

/** The script shows it when the payer has left the bank's question without an answer. */
function BankQuestion() {
  return (
    <div class="stack" id="asked" hidden>
      <p class="fault" id="said" role="alert" />
      <button type="button" id="confirm">
        Confirm with your bank
      </button>
    </div>
  )
}

/** Shown while the payment has no outcome yet. */
export function Processing({ takesDays }: { takesDays: boolean }) {
  if (takesDays) return <ProcessingForDays />
  return (
    <div class="stack" id="waiting" aria-live="polite">
      <p>
        Your bank has not answered yet. This is rare, and can take from seconds to a few hours. We
        keep asking.
      </p>
      <p>
        <strong>Please don't pay again:</strong> you are charged at most once. You can close this
        page and come back later, or wait here: it updates as soon as your bank answers.
      </p>
    </div>
  )
}

function ProcessingForDays() {
  return (
    <div class="stack" aria-live="polite">
      <p>
        Your payment is on its way. A payment from a bank account takes several days: your bank may
        still refuse it, and then you are not charged.
      </p>
      <p>
        <strong>Please don't pay again:</strong> you are charged at most once. You can close this
        page and come back later.
      </p>
    </div>
  )
}

function PaymentFacts({ payment, viewer }: Pick<OutcomeProps, 'payment' | 'viewer'>) {
  const { currency, refunded } = payment
  return (
    <DetailList
      of={[
        ['Paid with', meansText(payment)],
        ['Date', <Moment key="at" viewer={viewer} at={payment.createdAt} />],
        ...(refunded > 0n
          ? [['Refunded', <Money key="back" {...{ viewer, currency, cents: refunded }} />] as const]
          : []),
        [
          'Receipt no.',
          <span key="no" class="number">
            {referenceOf(payment.id)}
          </span>,
        ],
      ]}
    />
  )
}

function ReceiptOf({ payment, path, receipt }: OutcomeProps) {
  const { receiptTo, receiptEmailAt } = payment
  const isOnItsWay = receipt === 'sent' || receiptEmailAt !== null
  return (
    <div class="stack receipt">
      {isOnItsWay ? (
        <p role="status">
          {receiptTo === null || receipt === 'sent'
            ? 'A receipt is on its way by e-mail.'
            : ['A receipt is on its way to ', <bdi key="to">{maskedAddress(receiptTo)}</bdi>, '.']}
        </p>
      ) : null}
      {receipt === 'refused' ? (
        <p class="fault" role="alert">
          We couldn't send that receipt. Check the e-mail address; each payment has five receipts.
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

/** By the code of the decline, for what a payer can do something about. */
const KIND_REASONS: ReadonlyMap<string, string> = new Map([
  [
    'authentication_required',
    'Your bank could not confirm that it was you. Try again, or use another card.',
  ],
  ['expired_card', 'Your card has expired. Use another card.'],
  [
    'incorrect_card_data',
    'Your bank did not recognize the card’s details. Check them, and try again.',
  ],
  [
    'insufficient_funds',
    'There is not enough money for this payment. Use another card or account.',
  ],
  [
    'request_refused',
    'This payment cannot be made as it is; another card will not help. Please tell the seller.',
  ],
])

/**
 * Explains a failed payment from the gateway's message, and says what to try.
 */
function kindReason({ declineCode, message }: PagePayment, mode: Mode): string {
  const said = (message ?? '').replace(/\.$/, '')
  const known = KIND_REASONS.get(declineCode ?? '')
  if (known !== undefined) return known
  if (/link was deleted/i.test(said)) {
    return 'The seller deleted this payment page before the payment went through.'
  }
  if (/deadline/i.test(said))
    return 'Your bank did not answer in time, so the payment was canceled.'
  const isDeclined = said === '' || /declin/i.test(said)
  return sentences(
    isDeclined
      ? 'Your bank declined this payment.'
      : `The payment gateway says: “${isolatedLine(said)}”.`,
    'Check the details or try another card.',
    mode === 'sandbox' ? 'In this test, only the test cards are approved.' : undefined,
  )
}

/** Shows enough of an address for its owner to recognize it. */
function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}…${address.slice(at)}`
}

interface ReceiptFormProps {
  /** The path of the payment's page. */
  readonly path: string
  readonly isOnItsWay: boolean
}

/** The form that requests a receipt. It needs no script. */
function ReceiptForm({ path, isOnItsWay }: ReceiptFormProps) {
  const form = (
    <form class="line" method="post" action={`${path}/receipt`}>
      <label htmlFor="receipt-email">E-mail</label>
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
          Send receipt
        </button>
      </div>
    </form>
  )
  if (!isOnItsWay) return form
  return (
    <details>
      <summary>Send it to another address</summary>
      {form}
    </details>
  )
}
