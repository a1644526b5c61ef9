// The payment form. Its inputs have no names, so a browser never submits them without the script:
// the page's script sends the card to the gateway, and the gateway's token to us. On live
// accounts the card is typed into fields of the gateway, which our script cannot read.

import { type Cents, toDecimal } from '../../core/money.ts'
import { decimalExample, localMoneyText } from '../../messages/local-formats.ts'
import { newNonce } from '../page-payment.ts'
import type { PageTokens } from '../page-tokens.ts'
import type { Payee } from '../payee.ts'
import { usePageViewer } from '../viewer.ts'
import { CardFields } from './card-fields.tsx'
import { Field } from './field.tsx'

interface PayFormProps {
  readonly payee: Payee
  /** The path that the form posts to. */
  readonly path: string
  /** Shows the gateway which page the token is for. */
  readonly subject: { readonly link: string } | { readonly bill: string }
  readonly tokens: PageTokens
  readonly currency: string
  /** The fixed amount; undefined when the payer enters it. */
  readonly amount: Cents | undefined
  /** The initial value of the amount field. */
  readonly typedAmount: string
}

export function PayForm(props: PayFormProps) {
  const { payee, path, subject, tokens, currency, amount, typedAmount } = props
  const { texts, locale } = usePageViewer()
  const { form } = texts
  const amountText = amount === undefined ? undefined : localMoneyText(amount, currency, locale)
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
      data-locale={locale}
      data-currency={currency}
      data-amount={amount === undefined ? undefined : toDecimal(amount).toFixed(2)}
    >
      <noscript>
        <p class="fault">{form.needsScripts}</p>
      </noscript>
      {amountText === undefined ? (
        <Field
          id="amount"
          label={form.amount}
          hint={form.amountHint(currency, decimalExample(locale))}
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
        label={form.email}
        hint={form.emailHint}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={320}
      />
      <p class="fault" id="said" role="alert" tabIndex={-1} hidden />
      <button type="submit" id="send" disabled>
        {amountText === undefined ? form.pay : form.payAmount(amountText)}
      </button>
      <p class="quiet small">{form.privacy}</p>
      <p class="hidden" id="progress" aria-live="polite" />
    </form>
  )
}

/** The gateway's script fills it, and shows the faults of a card in it. */
function HostedFields() {
  const { form } = usePageViewer().texts
  return (
    <div class="stack">
      <Field id="name" label={form.name} autoComplete="cc-name" maxLength={120} />
      <div id="hosted" />
    </div>
  )
}

const CARDS = [
  ['4111 1111 1111 1111', 'approved'],
  ['4012 8888 8888 1881', 'declined'],
] as const

/** The cards to try on a sandbox account's page. */
function TestCards() {
  const { testCards } = usePageViewer().texts
  return (
    <aside class="test" aria-label={testCards.label}>
      <p>
        <strong>{testCards.title}</strong> {testCards.note}
      </p>
      <ul>
        {CARDS.map(([number, what]) => (
          <li key={number}>
            <button type="button" class="plain" data-card={number}>
              <span class="number">{number}</span>
            </button>{' '}
            <span>{testCards[what]}</span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
