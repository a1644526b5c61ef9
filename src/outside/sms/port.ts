// The port for text messages.

import type { SendAnswer } from '../../core/delivery.ts'

export interface TextMessage {
  readonly accountId: string
  readonly deliveryId: string
  /** E.164. */
  readonly to: string
  readonly text: string
  /** Where the provider tells what became of it; none where it could not reach us. */
  readonly statusUrl: string | undefined
}

export interface Texter {
  readonly kind: 'twilio' | 'outbox'
  /** Never throws: what went wrong is an answer. Given up when the signal says so. */
  send(message: TextMessage, signal: AbortSignal): Promise<SendAnswer>
  /** Whether what came to `url`, with this form and this signature, came from the provider. */
  isFromProvider(url: string, form: Readonly<Record<string, string>>, signature: string): boolean
  close(): Promise<void>
}
