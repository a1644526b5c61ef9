// The port for e-mail.

import type { SendAnswer } from '../../core/delivery.ts'

export interface Mail {
  readonly accountId: string
  /** The delivery's id. A retry of the delivery is the same message. */
  readonly deliveryId: string
  /** The name before the sender's address. */
  readonly fromName: string
  readonly to: string
  /** The address for replies. Null: the sender's. */
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  /** A POST there opts the recipient out of such mail (RFC 8058). Null for mail without opt-out. */
  readonly optOutUrl: string | null
  readonly date: Date
  /** A picture that the HTML shows by `cid:`. */
  readonly picture?: MailPicture | undefined
}

export interface MailPicture {
  readonly cid: string
  readonly contentType: string
  readonly bytes: Buffer
}

export interface Mailer {
  readonly kind: 'smtp' | 'outbox'
  /** Never throws: a failure is an answer. It ends when the signal says so. */
  send(mail: Mail, signal: AbortSignal): Promise<SendAnswer>
  close(): Promise<void>
}
