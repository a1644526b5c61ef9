// The port for e-mail.

import type { SendAnswer } from '../../core/delivery.ts'

export interface Mail {
  readonly accountId: string
  /** Of the delivery. A second try of it is the same message. */
  readonly deliveryId: string
  /** Whose name stands before the sender's address. */
  readonly fromName: string
  readonly to: string
  /** Where answers go; none: to the sender. */
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly date: Date
}

export interface Mailer {
  readonly kind: 'smtp' | 'outbox'
  /** Never throws: what went wrong is an answer. Given up when the signal says so. */
  send(mail: Mail, signal: AbortSignal): Promise<SendAnswer>
  close(): Promise<void>
}
