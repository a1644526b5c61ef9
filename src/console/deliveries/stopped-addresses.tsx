// The addresses of a customer or a delivery to which nothing is sent, or no scheduled bills, with the
// forms that lift that.

import type { MessageChannel } from '../../core/delivery.ts'
import type { StoppedAddress, StopReason } from '../../deliveries/stopped-addresses.ts'
import { LONGEST_NOTE } from '../../operators/note.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { TextField } from '../parts/fields.tsx'
import { At, StatusWord } from '../parts/shown.tsx'

const CHANNELS: Readonly<Record<MessageChannel, string>> = {
  email: 'e-mail',
  sms: 'text messages',
}

const WORDS: Readonly<Record<StopReason, { readonly status: string; readonly button: string }>> = {
  no_such_address: { status: 'suppressed', button: 'Send to this address again' },
  opted_out: { status: 'opted_out', button: 'Send scheduled bills again' },
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
