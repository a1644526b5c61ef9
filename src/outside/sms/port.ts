// The port for text messages.

import type { SendAnswer } from '../../core/delivery.ts'

export interface TextMessage {
  readonly accountId: string
  readonly deliveryId: string
  /** In E.164. */
  readonly to: string
  readonly text: string
  /** The provider reports the result to this address. Undefined if it could not reach us. */
  readonly statusUrl: string | undefined
}

export interface Texter {
  readonly kind: 'twilio' | 'outbox'
  /** Never throws: a failure is an answer. It ends when the signal says so. */
  send(message: TextMessage, signal: AbortSignal): Promise<SendAnswer>
  /** True if a request to `url`, with this form and this signature, came from the provider. */
  isFromProvider(url: string, form: Readonly<Record<string, string>>, signature: string): boolean
  close(): Promise<void>
}
