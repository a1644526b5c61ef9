export type * from './api.ts'
export type { ScheduledInvoice as Schedule } from './api.ts'
export type { CallOptions, KeyedCallOptions, Page, PaymentCallOptions } from './call-options.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export {
  ApiError,
  ConnectionError,
  DeclinedError,
  LamplighterError,
  RateLimitError,
  SignatureError,
} from './errors.ts'
export { type VerifyOptions, verifyWebhook, type WebhookMessage } from './webhook.ts'
