import type { Answer, Trace } from '../outside/gateway/port.ts'

/**
 * `silent`: the gateway was asked, and did not answer. `given_up`: it was never carried out, and
 * never will be.
 */
export type GatewayFinding =
  | Answer
  | Trace
  | { readonly kind: 'silent' }
  | { readonly kind: 'given_up'; readonly message: string }
