// Keeps text messages in the outbox.

import { keep, type Outbox } from '../outbox.ts'
import type { Texter, TextMessage } from './port.ts'

export function outboxTexter(outbox: Outbox): Texter {
  return {
    kind: 'outbox',
    async send(message, signal) {
      if (signal.aborted) return { kind: 'away', detail: 'canceled before sending' }
      const { accountId, deliveryId, to: recipient } = message
      // PostgreSQL stores no NUL, and half of a surrogate pair is not a character.
      const text = message.text.toWellFormed().replaceAll('\0', '')
      const kept = { accountId, deliveryId, channel: 'sms', recipient } as const
      const content = fileOf(message, text)
      return keep(outbox, { ...kept, subject: null, text, html: null }, content)
    },
    isFromProvider: () => false,
    close: async () => {},
  }
}

function fileOf({ to, deliveryId }: TextMessage, text: string): string {
  return `To: ${to}\nDelivery: ${deliveryId}\n\n${text}\n`
}
