// The decisions about a payment whose outcome the gateway did not know at its deadline: their
// forms, and what they do.

import { Refusal } from '../../core/errors.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { capitalized } from '../../core/sentence.ts'
import { firstWork } from '../../core/transaction.ts'
import {
  askPaymentAgain,
  decidePayment,
  type PaymentDecision,
} from '../../operators/decide-payment.ts'
import { LONGEST_NOTE } from '../../operators/note.ts'
import type { Form } from '../../web/forms.ts'
import { ActionButton, ActionForm } from '../parts/action-form.tsx'
import {
  FlagField,
  FormFault,
  fieldsOf,
  filledForm,
  TextField,
  type TextProps,
} from '../parts/fields.tsx'
import type { Acting, Shown } from '../parts/object-page.tsx'
import { Id } from '../parts/shown.tsx'
import { noteOf } from '../parts/typed.ts'
import { transactionPath } from '../paths.ts'
import { operatorOf } from '../who.ts'
import type { TransactionStory } from './read-story.ts'

export const DECISIONS = {
  ask: (acting: Acting<TransactionStory>) =>
    refusedAsOthers(async () => {
      await askPaymentAgain(acting.world, operatorOf(acting.request), acting.found.row)
      return 'The gateway is asked again what became of it.'
    }),
  made: (acting: Acting<TransactionStory>) =>
    decide(acting, (form) => ({ made: true, reference: requiredText(form, 'reference') })),
  'never-made': (acting: Acting<TransactionStory>) =>
    decide(acting, (form) => ({ made: false, evenIfUnsaid: form.even_if_unsaid !== undefined })),
} as const

function decide(
  { world, request, form, found }: Acting<TransactionStory>,
  read: (form: Form) => PaymentDecision,
): Promise<string> {
  return refusedAsOthers(async () => {
    const [decision, reason] = [read(form), requiredText(form, 'reason')]
    await decidePayment(world, operatorOf(request), found.row, decision, reason)
    return 'Your decision is recorded.'
  })
}

function requiredText(form: Form, name: string): string {
  const text = noteOf(form[name])
  if (text !== '') return text
  throw new Refusal('invalid_request', { message: `Enter the ${name} too.` })
}

/** The payment's page shows a refusal with the form, as it does for other actions. */
async function refusedAsOthers(act: () => Promise<string>): Promise<string> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    throw new Refusal('wrong_state', { message: `${capitalized(error.message)}.` })
  }
}

const MADE_ASKS = 'Record that the payment was made? An outcome can’t be changed.'
const NEVER_MADE_ASKS = 'Record that the payment was never made? An outcome can’t be changed.'

/** Nothing is left to decide once the outcome is known, or while the gateway is asked again. */
export function DecideForms({ found: { row }, refused }: Shown<TransactionStory>) {
  const isRefused = refused !== undefined && Object.hasOwn(DECISIONS, refused.form)
  const fault = isRefused ? refused.faults.form : undefined
  if (row.parkedAt === null) return <FormFault text={fault} />
  const path = transactionPath(row)
  const made = fieldsOf(filledForm(refused, 'made'))
  const neverMade = fieldsOf(filledForm(refused, 'never-made'))
  return (
    <section class="card stack" id="decide" aria-labelledby="decide-title">
      <h2 id="decide-title">Review this payment</h2>
      <FormFault text={fault} />
      <p>
        The gateway did not say by the deadline whether the payment was made, so money may have
        moved. Ask the gateway again. If it still doesn’t know, ask its support and record the
        outcome here.
      </p>
      {row.authId === null ? null : (
        <p>
          The gateway knows it as <Id id={row.authId} />. If it is still open there, end it there
          first.
          {firstWork(row.type) === 'charge' ? null : (
            <> A refund waits until the balance covers it, so add to the balance, or cancel it.</>
          )}
        </p>
      )}
      <p class="quiet">
        A live payment is asked about every two hours on its first day, and then once a day.
      </p>
      <ActionButton to={`${path}/ask`}>Ask the gateway again</ActionButton>
      <div class="two">
        <ActionForm to={`${path}/made`} class="stack" asks={MADE_ASKS}>
          <h3>It was made</h3>
          <TextField
            {...made('reference')}
            label="Gateway reference"
            hint="Its id at the gateway, which is asked whether this payment is there."
            longest={100}
            isRequired
          />
          <Reason {...made('reason')} />
          <button type="submit" class="plain">
            Record that it was made
          </button>
        </ActionForm>
        <ActionForm to={`${path}/never-made`} class="stack" asks={NEVER_MADE_ASKS}>
          <h3>It was never made</h3>
          <Reason {...neverMade('reason')} />
          <FlagField
            name="even_if_unsaid"
            label="Record it even if the gateway doesn’t confirm it"
            hint="If the payment was made after all, an invoice is charged a second time."
            isSet={false}
          />
          <button type="submit" class="plain">
            Record that it was never made
          </button>
        </ActionForm>
      </div>
    </section>
  )
}

function Reason(field: Pick<TextProps, 'name' | 'value' | 'fault'>) {
  return <TextField {...field} label="How you know" longest={LONGEST_NOTE} isRequired />
}
