// The payment form. Its inputs have no names, so a browser never submits them without the script:
// the page's script sends the card to the gateway, and the gateway's token to us. On live
// accounts the card is typed into fields of the gateway, which our script cannot read.

import { type Cents, toDecimal } from '../../core/money.ts'
import { newNonce } from '../page-payment.ts'
import type { PageTokens } from '../page-tokens.ts'
import type { Payee } from '../payee.ts'
import { CardFields } from './card-fields.tsx'
import { Field } from './field.tsx'
import type { Viewer } from './shown.tsx'

interface PayFormProps {
  readonly payee: Payee
  readonly viewer: Viewer
  /** The path that the form posts to. */
  readonly path: string
  /** Tells the gateway which page the token is for. */
  readonly subject: { readonly link: string } | { readonly bill: string }
  readonly tokens: PageTokens
  readonly currency: string
  /** The fixed amount; undefined when the payer enters it. */
  readonly amount: Cents | undefined
  /** The amount on the button. */
  readonly amountText: string | undefined
  /** The initial value of the amount field. */
  readonly typedAmount: string
}

export function PayForm(props: PayFormProps) {
  const { payee, viewer, path, subject, tokens, currency, amount, amountText, typedAmount } = props
  return (
    <form
      id="pay"
      class="stack"
      method="post"
      noValidate
      data-path={path}
      data-nonce={newNonce()}
      data-tokens={tokens.kind === 'own form' ? tokens.url : undefined}
      data-about={JSON.stringify(subject)}
      data-locale={viewer.locale}
      data-currency={currency}
      data-amount={amount === undefined ? undefined : toDecimal(amount).toFixed(2)}
    >
      <noscript>
        <p class="fault">
          This page sends your card details to the payment gateway with JavaScript. Please allow
          JavaScript for this page and reload it.
        </p>
      </noscript>
      {amountText === undefined ? (
        <Field
          id="amount"
          label="Amount"
          hint={`In ${currency}, such as 12.50`}
          inputMode="decimal"
          autoComplete="transaction-amount"
          value={typedAmount}
          maxLength={20}
        />
      ) : null}
      {payee.mode === 'sandbox' ? <TestCards /> : null}
      {tokens.kind === 'own form' ? <CardFields /> : <HostedFields />}
      <Field
        id="email"
        label="E-mail"
        hint="Optional. We send your receipt there."
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={320}
      />
      <p class="fault" id="said" role="alert" tabIndex={-1} hidden />
      <button type="submit" id="send" disabled>
        {amountText === undefined ? 'Pay' : `Pay ${amountText}`}
      </button>
      <p class="quiet small">
        Your card details go straight to the payment gateway. We never see or keep the number.
      </p>
      <p class="hidden" id="progress" aria-live="polite" />
    </form>
  )
}

/** The gateway's script fills it, and says in it what is wrong with a card. */
function HostedFields() {
  return (
    <div class="stack">
      <Field id="name" label="Name on the card or account" autoComplete="cc-name" maxLength={120} />
      <div id="hosted" />
    </div>
  )
}

const CARDS = [
  ['4111 1111 1111 1111', 'is approved'],
  ['4012 8888 8888 1881', 'is declined'],
] as const

/** The cards to try on a sandbox account's page. */
function TestCards() {
  return (
    <aside class="test" aria-label="About this test">
      <p>
        <strong>This is a test page.</strong> Nothing is charged, whatever you enter. Please don't
        use a real card.
      </p>
      <ul>
        {CARDS.map(([number, what]) => (
          <li key={number}>
            <button type="button" class="plain" data-card={number}>
              <span class="number">{number}</span>
            </button>{' '}
            <span>{what}</span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
