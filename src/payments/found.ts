import type { Answer, Trace } from '../outside/gateway/port.ts'

/** `silent`: the gateway was asked, and did not answer. `barred`: it must not be asked. */
export type Found =
  | Answer
  | Trace
  | { readonly kind: 'silent' }
  | { readonly kind: 'barred'; readonly message: string }
