// The fields for a card or a bank account.

import { usePageViewer } from '../viewer.ts'
import { Field } from './field.tsx'

export function CardFields() {
  const { form } = usePageViewer().texts
  return (
    <div class="stack">
      <fieldset class="choice">
        <legend class="hidden">{form.payWith}</legend>
        <label>
          <input type="radio" id="by-card" name="by" value="card" checked />
          {form.card}
        </label>
        <label>
          <input type="radio" id="by-bank" name="by" value="bank" />
          {form.bank}
        </label>
      </fieldset>
      <fieldset class="stack plain" data-by="card">
        <legend class="hidden">{form.card}</legend>
        <div class="branded">
          <Field
            id="number"
            label={form.number}
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
            label={form.expires}
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder={form.expiresForm}
            maxLength={9}
          />
          <Field
            id="cvc"
            label={form.code}
            inputMode="numeric"
            autoComplete="cc-csc"
            placeholder={form.codeForm}
            maxLength={4}
          />
        </div>
      </fieldset>
      <fieldset class="stack plain" data-by="bank" hidden>
        <legend class="hidden">{form.bank}</legend>
        <Field
          id="routing"
          label={form.routing}
          hint={form.routingHint}
          inputMode="numeric"
          autoComplete="off"
          maxLength={11}
        />
        <Field
          id="account"
          label={form.account}
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
        />
      </fieldset>
      <Field id="name" label={form.name} autoComplete="cc-name" maxLength={120} />
    </div>
  )
}
