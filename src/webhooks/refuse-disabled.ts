import { Refusal } from '../core/errors.ts'
import type { Webhook } from '../generated/client.ts'

/** What is owed to one that is disabled is not sent to it. */
export function refuseDisabled({ status }: Webhook): void {
  if (status === 'disabled') {
    throw new Refusal('wrong_state', { message: 'the webhook is disabled; enable it first' })
  }
}
