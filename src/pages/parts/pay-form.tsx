// The form in which a payer pays. What is typed into it has no names, so that no browser sends it
// anywhere by itself: the page's script sends the card to the gateway, and us the gateway's token.

import { type Cents, toDecimal } from '../../core/money.ts'
import type { BrowserTokens } from '../../outside/gateway/port.ts'
import { newNonce } from '../page-payment.ts'
import type { Payee } from '../payee.ts'
import { CardFields } from './card-fields.tsx'
import { Field } from './field.tsx'
import type { Viewer } from './shown.tsx'
import { TestCards } from './test-cards.tsx'

export interface PayFormProps {
  readonly payee: Payee
  readonly viewer: Viewer
  /** Where it is sent. */
  readonly path: string
  /** What the gateway is told of where its token is for. */
  readonly subject: { readonly link: string } | { readonly bill: string }
  readonly tokens: Extract<BrowserTokens, { kind: 'own form' }>
  readonly currency: string
  /** Fixed; undefined where the payer types it. */
  readonly amount: Cents | undefined
  /** The same, as `Pay …` says it. */
  readonly amountText: string | undefined
  /** What stands in the field at first. */
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
      data-tokens={tokens.url}
      data-about={JSON.stringify(subject)}
      data-locale={viewer.locale}
      data-currency={currency}
      data-amount={amount === undefined ? undefined : toDecimal(amount).toFixed(2)}
    >
      <noscript>
        <p class="fault">
          Card details are typed into this page and sent to the payment gateway by a script. Please
          allow JavaScript for this page, and load it again.
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
      <CardFields />
      <Field
        id="email"
        label="E-mail"
        hint="Optional. Your receipt goes there."
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
