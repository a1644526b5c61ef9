// What a person may decide of a payment that the gateway could not tell of.

import type { Operator } from '../../operators/session.ts'
import { ActionForm, TextField } from '../parts/fields.tsx'

interface DecideFormsProps {
  readonly row: { readonly accountId: string; readonly id: string; readonly attempt: number }
  readonly operator: Operator
}

const MADE_ASKS = 'Record that the payment was made? An outcome can’t be changed.'
const NEVER_MADE_ASKS = 'Record that the payment was never made? An outcome can’t be changed.'

export function DecideForms({ row, operator }: DecideFormsProps) {
  const path = `/admin/parked/${row.accountId}/${row.id}`
  return (
    <section class="card stack" id="decide" aria-labelledby="decide-title">
      <h2 id="decide-title">Review this payment</h2>
      <p>
        The gateway did not say by the deadline whether the payment was made, so money may have
        moved. Ask the gateway again. If it still can’t tell, find out from its support and record
        the outcome here.
      </p>
      <ActionForm to={`${path}/ask`} operator={operator}>
        <button type="submit">Ask the gateway again</button>
      </ActionForm>
      <div class="two">
        <ActionForm to={`${path}/made`} operator={operator} class="stack" asks={MADE_ASKS}>
          <h3>It was made</h3>
          <TextField
            name="reference"
            label="Gateway reference"
            hint="A later refund needs it."
            longest={100}
            isRequired
          />
          <TextField name="reason" label="How you know" longest={200} isRequired />
          <button type="submit" class="plain">
            Record that it was made
          </button>
        </ActionForm>
        <ActionForm
          to={`${path}/never-made`}
          operator={operator}
          class="stack"
          asks={NEVER_MADE_ASKS}
        >
          <h3>It was never made</h3>
          <TextField name="reason" label="How you know" longest={200} isRequired />
          <button type="submit" class="plain">
            Record that it was never made
          </button>
        </ActionForm>
      </div>
    </section>
  )
}
