// Keeps text messages in the outbox.

import { withoutFaults } from '../../core/text.ts'
import { keep, type Outbox } from '../outbox.ts'
import type { Texter, TextMessage } from './port.ts'

export function outboxTexter(outbox: Outbox): Texter {
  return {
    kind: 'outbox',
    async send(message, signal) {
      if (signal.aborted) return { kind: 'away', detail: 'canceled before sending' }
      const { accountId, deliveryId, to: recipient } = message
      const text = withoutFaults(message.text)
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
