// Keeps e-mail in the outbox: rows, and files that any mail program opens.

import { keep, type Outbox } from '../outbox.ts'
import { readMailSender } from './address.ts'
import { type ComposedMail, compose, NOT_ONE_ADDRESS } from './compose.ts'
import type { Mailer } from './port.ts'

export function outboxMailer(outbox: Outbox, from: string): Mailer {
  const sender = readMailSender(from)
  return {
    kind: 'outbox',
    async send(mail, signal) {
      const letter = compose(mail, sender)
      if (letter === undefined) return NOT_ONE_ADDRESS
      if (signal.aborted) return { kind: 'away', detail: 'canceled before sending' }
      const { accountId, deliveryId, to: recipient } = mail
      const { subject, text, html } = letter
      const kept = { accountId, deliveryId, channel: 'email', recipient } as const
      return keep(outbox, { ...kept, subject, text, html }, await messageOf(letter))
    },
    close: async () => {},
  }
}

/** The message in the form that SMTP would send. */
async function messageOf(letter: ComposedMail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const wire = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await wire.sendMail(letter)
  return message as Buffer
}
