// Composes a mail for nodemailer, the same for SMTP and for the outbox.

import type { SendMailOptions } from 'nodemailer'
import type { SendAnswer } from '../../core/delivery.ts'
import { isOneAddress } from '../../core/mail-address.ts'
import { withoutFaults } from '../../core/text.ts'
import type { MailSender } from './address.ts'
import type { Mail, MailPicture } from './port.ts'

export interface ComposedMail extends SendMailOptions {
  readonly envelope: NonNullable<SendMailOptions['envelope']>
  readonly subject: string
  readonly text: string
  readonly html: string
}

export const NOT_ONE_ADDRESS: SendAnswer = {
  kind: 'refused',
  reason: 'refused',
  detail: 'the recipient is not one address',
}

/** Line ends, and characters that reverse the direction of the text after them. */
const NOT_FOR_HEADERS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** Undefined if the one recipient is not clear. */
export function compose(mail: Mail, sender: MailSender): ComposedMail | undefined {
  const { deliveryId, to, replyTo, date } = mail
  if (!isOneAddress(to)) return undefined
  return {
    // As objects, because nodemailer would read a text as a list of addresses.
    envelope: { from: alone(sender.address), to: alone(to) },
    from: { name: onOneLine(mail.fromName) || sender.name, address: sender.address },
    to: alone(to),
    ...(replyTo !== null && isOneAddress(replyTo) && { replyTo: alone(replyTo) }),
    subject: onOneLine(mail.subject),
    text: withoutFaults(mail.text),
    html: withoutFaults(mail.html),
    ...(mail.picture !== undefined && { attachments: [attached(mail.picture)] }),
    date,
    // A retry is the same message to the last byte, so that a mailbox can drop it.
    messageId: `<${deliveryId}@${sender.domain}>`,
    baseBoundary: deliveryId,
    headers: {
      'Auto-Submitted': 'auto-generated',
      // All receipts of a shop have one subject; without this header some programs show them as one
      // thread.
      'X-Entity-Ref-ID': deliveryId,
      ...(mail.optOutUrl !== null && {
        'List-Unsubscribe': `<${mail.optOutUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Within the letter, so that it is neither fetched nor listed as a file. */
function attached({ cid, contentType, bytes: content }: MailPicture) {
  return { cid, contentType, content, filename: false, contentDisposition: 'inline' } as const
}

function alone(address: string) {
  return { name: '', address }
}

/** With single spaces: a header may be folded at any of them, and readers differ about two. */
function onOneLine(text: string): string {
  return text.toWellFormed().replace(NOT_FOR_HEADERS, ' ').replace(/ {2,}/g, ' ').trim()
}
