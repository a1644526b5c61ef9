// Turns a card or a bank account in the clear into the gateway's token, before anything is written.

import type { Mode } from '../accounts/key.ts'
import type { RequestContext } from '../accounts/request-context.ts'
import { type Faults, Refusal } from '../core/errors.ts'
import type { Gateway, Instrument } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'

type Secret = 'cardNumber' | 'cardCvv' | 'bankAccount'

/** Live, a number must never reach us. */
export function refuseNumbers(mode: Mode, sent: Readonly<Partial<Record<Secret, unknown>>>): void {
  const { cardNumber, cardCvv, bankAccount } = sent
  const isSent = [cardNumber, cardCvv, bankAccount].some((one) => (one ?? null) !== null)
  if (mode === 'live' && isSent) throw new Refusal('card_data_not_accepted')
}

/** In the sandbox there is nobody else who could make a token of a number. */
export async function tokeniseInstrument(
  world: World,
  gateway: Gateway,
  context: RequestContext,
  input: { readonly method: 'card' | 'bank'; readonly instrument: Instrument },
) {
  if (gateway.tokenise === undefined) throw new Error(`${gateway.name} takes no numbers`)
  const now = world.accountNow(context)
  const result = await gateway.tokenise(context.accountId, input.method, input.instrument, now)
  if (result.kind === 'faults') {
    throw new Refusal('invalid_request', { faults: faultsByField(result.faults) })
  }
  return { gatewayName: gateway.name, tokenised: result.tokenised }
}

const FIELDS: Readonly<Record<keyof Instrument, string>> = {
  cardNumber: 'card_number',
  cardExp: 'card_exp',
  cardCvv: 'card_cvv',
  bankAccount: 'bank_account',
  bankRouting: 'bank_routing',
}

function faultsByField(faults: Readonly<Partial<Record<keyof Instrument, string>>>): Faults {
  const entries = Object.entries(faults) as [keyof Instrument, string][]
  return Object.fromEntries(entries.map(([field, fault]) => [FIELDS[field], [fault]]))
}
