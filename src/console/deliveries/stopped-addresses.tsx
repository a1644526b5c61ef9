// The addresses of a customer or a delivery to which nothing is sent, or no scheduled bills, with the
// forms that lift that, and their action.

import type { FastifyInstance } from 'fastify'
import { MESSAGE_CHANNELS, type MessageChannel } from '../../core/delivery.ts'
import { isId } from '../../core/id.ts'
import {
  STOP_REASONS,
  type StoppedAddress,
  type StopReason,
} from '../../deliveries/stopped-addresses.ts'
import { liftStop } from '../../operators/lift-stop.ts'
import { LONGEST_NOTE } from '../../operators/note.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { incompleteForm, PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { accountOfPath } from '../account-of.ts'
import { redirectDone } from '../done.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { TextField } from '../parts/fields.tsx'
import { At, StatusWord } from '../parts/shown.tsx'
import { noteOf } from '../parts/typed.ts'
import { customerPath, deliveryPath } from '../paths.ts'
import { operatorOf } from '../who.ts'

const CHANNELS: Readonly<Record<MessageChannel, string>> = { email: 'e-mail', sms: 'text messages' }

interface StopWords {
  readonly status: string
  readonly button: string
  readonly done: string
}

const WORDS: Readonly<Record<StopReason, StopWords>> = {
  no_such_address: {
    status: 'suppressed',
    button: 'Send to this address again',
    done: 'Messages go to this address again. Those that failed can be sent again from their pages.',
  },
  opted_out: {
    status: 'opted_out',
    button: 'Send scheduled bills again',
    done: 'Scheduled bills go to this address again.',
  },
}

interface StopsProps {
  readonly stops: readonly StoppedAddress[]
  /** The page to return to. */
  readonly from: { readonly customer: string } | { readonly delivery: string }
}

export function StoppedAddresses({ stops, from }: StopsProps) {
  if (stops.length === 0) return null
  return (
    <section class="card stack" aria-labelledby="stops">
      <h2 id="stops">Stopped addresses</h2>
      {stops.map((stop) => (
        <Stop key={`${stop.channel} ${stop.address} ${stop.reason}`} {...{ stop, from }} />
      ))}
    </section>
  )
}

function Stop({ stop, from }: Omit<StopsProps, 'stops'> & { stop: StoppedAddress }) {
  const { accountId, channel, address, reason } = stop
  const fields = { channel, address, reason, ...from }
  return (
    <div class="stack">
      <p class="cut">
        <StatusWord status={WORDS[reason].status} /> <strong>{address}</strong>{' '}
        <Meaning stop={stop} />
      </p>
      <ActionForm to={`/admin/addresses/${accountId}/lift`} class="stack" fields={fields}>
        {reason === 'opted_out' ? (
          <TextField
            name="note"
            label="How the recipient asked for it"
            hint="It is kept in the audit log. Don’t send bills again unless they want them."
            isRequired
            longest={LONGEST_NOTE}
          />
        ) : null}
        <Submit kind="plain">{WORDS[reason].button}</Submit>
      </ActionForm>
    </div>
  )
}

function Meaning({ stop: { channel, reason, detail, createdAt } }: { stop: StoppedAddress }) {
  if (reason === 'opted_out') {
    return (
      <>
        gets no scheduled bills since <At instant={createdAt} /> UTC, because its owner opted out.
        Receipts, and bills that a person sends, still go there.
      </>
    )
  }
  return (
    <>
      gets no {CHANNELS[channel]} since <At instant={createdAt} /> UTC, because it does not exist
      {detail === null ? '.' : `: ${detail}`}
    </>
  )
}

interface OfAddress {
  readonly Params: { readonly account: string }
}

export function stoppedAddressRoutes(own: FastifyInstance, world: World): void {
  own.post<OfAddress>('/addresses/:account/lift', async (request, reply) => {
    const { id: accountId } = await accountOfPath(world, request.params.account, 'address')
    const form = formOf(request)
    const { address = '' } = form
    const channel = MESSAGE_CHANNELS.find((one) => one === form.channel)
    const reason = STOP_REASONS.find((one) => one === form.reason)
    if (channel === undefined || reason === undefined) throw incompleteForm()
    const path = pageOf(accountId, form)
    const note = noteOf(form.note)
    if (reason === 'opted_out' && note === '') throw NO_NOTE
    await liftStop(world, operatorOf(request), { accountId, channel, address, reason }, note)
    return redirectDone(world, reply, path, WORDS[reason].done)
  })
}

const NO_NOTE = new PageRefusal(
  400,
  'Something is missing',
  'Enter how the recipient asked for scheduled bills.',
)

function pageOf(accountId: string, { customer = '', delivery = '' }: Form): string {
  if (isId(customer)) return customerPath({ accountId, id: customer })
  if (isId(delivery)) return deliveryPath({ accountId, id: delivery })
  throw incompleteForm()
}
