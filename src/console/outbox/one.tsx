// One outbox message, as its recipient would have seen it.

import type { Delivery, OutboxMessage } from '../../generated/client.ts'
import { At, Dash, FactCard, Id, Verbatim } from '../parts/shown.tsx'
import { invoicePath, messagePath, transactionPath } from '../paths.ts'

interface OneMessageProps {
  readonly message: OutboxMessage
  readonly delivery: Delivery | undefined
}

export function OneMessage({ message, delivery }: OneMessageProps) {
  return (
    <>
      <FactCard
        of={{
          To: message.recipient,
          'Kept (UTC)': <At instant={message.createdAt} />,
          About: delivery === undefined ? <Dash /> : <Subject of={delivery} />,
          Id: <code>{message.id}</code>,
        }}
      />
      {message.channel === 'sms' ? <Bubble text={message.text} /> : <Letter message={message} />}
    </>
  )
}

/** What the message is about. */
function Subject({ of: { accountId, subject, subjectId } }: { of: Delivery }) {
  if (subject === 'invoice')
    return <Id id={subjectId} to={invoicePath({ accountId, id: subjectId })} />
  if (subject !== 'transaction') return <>{subject}</>
  return <Id id={subjectId} to={transactionPath({ accountId, id: subjectId })} />
}

function Bubble({ text }: { text: string }) {
  return (
    <section class="handset" aria-label="The text message">
      <p class="bubble">{text}</p>
      <p class="quiet number">{[...text].length} characters</p>
    </section>
  )
}

/** The HTML is a page of its own, without scripts or forms. */
function Letter({ message }: { message: OutboxMessage }) {
  const { html, text, subject } = message
  return (
    <>
      {html === null ? null : (
        <iframe
          class="letter"
          title={subject ?? 'The message'}
          sandbox=""
          src={`${messagePath(message)}/page`}
        />
      )}
      <details class="card" open={html === null}>
        <summary>As plain text</summary>
        <Verbatim text={text} />
      </details>
    </>
  )
}
