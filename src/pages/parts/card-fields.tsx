// The fields for a card or a bank account.

import { Field } from './field.tsx'

export function CardFields() {
  return (
    <div class="stack">
      <fieldset class="choice">
        <legend class="hidden">Pay with</legend>
        <label>
          <input type="radio" id="by-card" name="by" value="card" checked />
          Card
        </label>
        <label>
          <input type="radio" id="by-bank" name="by" value="bank" />
          Bank account
        </label>
      </fieldset>
      <fieldset class="stack plain" data-by="card">
        <legend class="hidden">Card</legend>
        <div class="branded">
          <Field
            id="number"
            label="Card number"
            inputMode="numeric"
            autoComplete="cc-number"
            placeholder="1234 1234 1234 1234"
            maxLength={26}
          />
          <span class="brand" id="brand" aria-live="polite" />
        </div>
        <div class="pair">
          <Field
            id="exp"
            label="Expires"
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder="MM / YY"
            maxLength={9}
          />
          <Field
            id="cvc"
            label="Security code"
            inputMode="numeric"
            autoComplete="cc-csc"
            placeholder="CVC"
            maxLength={4}
          />
        </div>
      </fieldset>
      <fieldset class="stack plain" data-by="bank" hidden>
        <legend class="hidden">Bank account</legend>
        <Field
          id="routing"
          label="Routing number"
          hint="Nine digits"
          inputMode="numeric"
          autoComplete="off"
          maxLength={11}
        />
        <Field
          id="account"
          label="Account number"
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
        />
      </fieldset>
      <Field id="name" label="Name on the card or account" autoComplete="cc-name" maxLength={120} />
    </div>
  )
}
